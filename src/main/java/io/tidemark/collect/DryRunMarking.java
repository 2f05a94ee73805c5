package io.tidemark.collect;

import io.tidemark.batch.ExternalSort;
import io.tidemark.batch.Rows;
import io.tidemark.flush.MissingChunks;
import io.tidemark.sweep.Cutoff;
import io.tidemark.sweep.Sweeper;
import io.tidemark.work.Workers;

/** Tells what a collection would remove, and writes nothing to the store. */
final class DryRunMarking implements Marking {
  /*
   * The references are collected and sorted, in files of the spill directory when they are many,
   * and joined with the entries of each directory.
   */
  private final RunState state;
  private final Workers<Hand> workers;
  private final MissingChunks missing;
  private final ExternalSort references;

  DryRunMarking(
      RunState state, Workers<Hand> workers, MissingChunks missing, ExternalSort references) {
    this.state = state;
    this.workers = workers;
    this.missing = missing;
    this.references = references;
  }

  @Override
  public void reference(long w0, long w1, long w2, long w3, int owner) {
    references.add(w0, w1, w2, w3, owner);
  }

  @Override
  public void finish() {}

  @Override
  public void sweep(Cutoff cutoff) {
    UntouchedWalk visitor = new UntouchedWalk(state, missing, cutoff, DryRunMarking::count);
    new JoinWalk(state, workers, JoinWalk.MARKS_A_ROUND, visitor).run(references.finish());
  }

  private static void count(Hand hand, Sweeper sweeper, int row) {
    Rows rows = hand.joined;
    sweeper.entry(
        hand.directory,
        rows.word(row, 1),
        rows.word(row, 2),
        rows.word(row, 3),
        rows.word(row, 4),
        JoinTag.kind(rows.tag(row)));
  }

  @Override
  public void close() {
    references.close();
  }
}
