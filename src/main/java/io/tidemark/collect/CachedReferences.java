package io.tidemark.collect;

import io.tidemark.digest.DigestSink;
import io.tidemark.digest.RecentDigests;
import io.tidemark.index.IndexVisitor;
import io.tidemark.report.GcStatus;
import io.tidemark.report.StopToken;
import io.tidemark.store.FileIdentity;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Passes references on to a marking, but for those that were passed on only recently. */
final class CachedReferences implements IndexVisitor, DigestSink {
  private final RecentDigests recent;
  private final Marking marking;
  private final Recorder recorder;
  private final StopToken stop;
  private final IntFunction<String> path;
  private IndexClaims.@Nullable Entry current;
  private int tag;

  /**
   * @param path gives the path of an index file for its number
   */
  CachedReferences(
      int capacity, Marking marking, Recorder recorder, StopToken stop, IntFunction<String> path) {
    this.recent = new RecentDigests(capacity);
    this.marking = marking;
    this.recorder = recorder;
    this.stop = stop;
    this.path = path;
  }

  @Override
  public OptionalLong known(int owner, FileIdentity identity) {
    IndexClaims.Entry entry = recorder.claims().begin(path.apply(owner), identity);
    current = entry;
    tag = recorder.tag(owner, entry);
    return recorder.skipsIndexes() && entry.wasComplete()
        ? OptionalLong.of(entry.imageBytes())
        : OptionalLong.empty();
  }

  @Override
  public DigestSink begin(int owner) {
    return this;
  }

  @Override
  public void announce(long[] secondWords, int count) {
    recent.prepare(secondWords, count);
  }

  @Override
  public void accept(long w0, long w1, long w2, long w3) {
    if (stop.isWindingDown()) {
      marking.pause();
      recorder.stop();
    }
    IndexClaims.Entry entry = Objects.requireNonNull(current);
    if (!(recorder.skipsIndexes() && entry.isNextDone((int) (w0 >>> 48)))
        && !recent.seen(w0, w1, w2, w3)) {
      marking.reference(w0, w1, w2, w3, tag);
    }
    entry.pass();
  }

  @Override
  public void end(int owner, long imageBytes) {
    Objects.requireNonNull(current).end(imageBytes);
  }

  GcStatus.CacheStats stats() {
    GcStatus.CacheStats earlier = recorder.earlierCache();
    return new GcStatus.CacheStats(
        earlier.hits() + recent.hits(), earlier.misses() + recent.misses());
  }
}
