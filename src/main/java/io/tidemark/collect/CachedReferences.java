package io.tidemark.collect;

import io.tidemark.digest.DigestSink;
import io.tidemark.digest.RecentDigests;
import io.tidemark.index.IndexVisitor;
import io.tidemark.report.GcStatus;

/** Passes references on to a marking, but for those that were passed on only recently. */
final class CachedReferences implements IndexVisitor, DigestSink {
  private final RecentDigests recent;
  private final Marking marking;
  private int owner;

  CachedReferences(int capacity, Marking marking) {
    this.recent = new RecentDigests(capacity);
    this.marking = marking;
  }

  @Override
  public DigestSink begin(int owner) {
    this.owner = owner;
    return this;
  }

  @Override
  public void accept(long w0, long w1, long w2, long w3) {
    if (!recent.seen(w0, w1, w2, w3)) {
      marking.reference(w0, w1, w2, w3, owner);
    }
  }

  GcStatus.CacheStats stats() {
    return new GcStatus.CacheStats(recent.hits(), recent.misses());
  }
}
