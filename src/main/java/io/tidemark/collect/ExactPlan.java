package io.tidemark.collect;

import io.tidemark.batch.ExternalSort;
import io.tidemark.digest.DigestSink;
import io.tidemark.digest.RecentDigests;
import io.tidemark.flush.MissingChunks;
import io.tidemark.plan.Ages;
import io.tidemark.plan.Basis;
import io.tidemark.plan.Estimate;
import io.tidemark.plan.Measure;
import io.tidemark.plan.Rates;
import io.tidemark.posix.FileStatus;
import io.tidemark.store.EntryKind;
import io.tidemark.sweep.Cutoff;
import io.tidemark.sweep.SweepCounts;
import io.tidemark.sweep.Sweeper;
import java.util.Map;
import java.util.OptionalLong;

/** Reads all index files and all directories, as a dry run does, but without its lock. */
final class ExactPlan {
  private final PlanSite site;
  private final MissingChunks missing;
  private final RecentDigests recent;
  private Ages pending = Ages.NONE;

  ExactPlan(PlanSite site) {
    this.site = site;
    this.missing = new MissingChunks(site.index::path, site.state.log);
    this.recent = new RecentDigests(site.settings.cacheCapacity());
    site.state.missing = missing;
  }

  /**
   * Counts everything.
   *
   * @param rates how fast a small sample was
   */
  PlanFindings run(Rates rates) {
    try (Ticker ticker = new Ticker(site.state, ProgressListener.NONE);
        ExternalSort references = site.sorts().references()) {
      ticker.start();
      long start = site.nanos();
      site.state.phase("mark", () -> site.index.mark(owner -> sink(references, owner)));
      double seconds = (site.nanos() - start) / 1e9;
      UntouchedWalk visitor = new UntouchedWalk(site.state, missing, site.cutoff, this::count);
      site.state.phase(
          "walk",
          () ->
              new JoinWalk(site.state, site.workers, JoinWalk.MARKS_A_ROUND, visitor)
                  .run(references.finish()));
      long read = site.index.progress().references();
      return findings(rates.withReference(seconds / Math.max(1, read)));
    }
  }

  private DigestSink sink(ExternalSort references, int owner) {
    return (w0, w1, w2, w3) -> {
      if (!recent.seen(w0, w1, w2, w3)) {
        references.add(w0, w1, w2, w3, owner);
      }
    };
  }

  private void count(Hand hand, Sweeper sweeper, int row) {
    var rows = hand.joined;
    sweeper.entry(
        hand.directory,
        rows.word(row, 1),
        rows.word(row, 2),
        rows.word(row, 3),
        rows.word(row, 4),
        JoinTag.kind(rows.tag(row)));
    FileStatus status = hand.directory.status();
    if (JoinTag.kind(rows.tag(row)) == EntryKind.CHUNK
        && site.cutoff.verdict(status.atimeSeconds()) == Cutoff.Verdict.PENDING) {
      synchronized (this) {
        pending = pending.with(status.atimeSeconds(), status.atimeSeconds());
      }
    }
  }

  private synchronized PlanFindings findings(Rates rates) {
    SweepCounts counts = site.state.countsSoFar();
    long chunks = counts.diskChunks + counts.removedChunks + counts.pendingChunks;
    long bytes = counts.diskBytes + counts.removedBytes + counts.pendingBytes;
    long directories = site.store.directories().cardinality();
    return new PlanFindings(
        Basis.EVERYTHING,
        new PlanReport.Looked(directories, directories, chunks),
        Map.of(
            Measure.PRESENT, Estimate.exactly(chunks, bytes, chunks),
            Measure.FREED, Estimate.exactly(counts.removedChunks, counts.removedBytes, chunks),
            Measure.PENDING, Estimate.exactly(counts.pendingChunks, counts.pendingBytes, chunks)),
        pending,
        OptionalLong.of(missing.count()),
        rates);
  }
}
