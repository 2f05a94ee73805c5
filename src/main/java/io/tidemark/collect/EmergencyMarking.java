package io.tidemark.collect;

import io.tidemark.batch.ExternalSort;
import io.tidemark.batch.Rows;
import io.tidemark.flush.MissingChunks;
import io.tidemark.store.EntryKind;
import io.tidemark.sweep.Cutoff;
import io.tidemark.sweep.Sweeper;
import io.tidemark.work.Workers;
import java.util.OptionalLong;

/** Frees space on a full file system: removes what nothing requires, and touches nothing. */
final class EmergencyMarking implements Marking, UntouchedWalk.Unused {
  /*
   * On a full copy-on-write file system a touch needs a block that it does not get, and then
   * nothing may be removed, so nothing is freed. Here the exact set of references alone says what
   * is in use. It is as complete as the index files are, which nobody adds to while the store is
   * locked exclusively. The age protects what was written or used shortly before: a chunk whose
   * last reference has just gone, or whose index file somebody is about to bring.
   */
  private final RunState state;
  private final Workers<Hand> workers;
  private final ExternalSort references;
  private final CandidateSweep candidates;
  private final UntouchedWalk walk;
  private final Rows unused = new Rows(5, Rows.maximumCapacity(5));

  EmergencyMarking(
      RunState state,
      Workers<Hand> workers,
      MissingChunks missing,
      Sorts sorts,
      Cutoff cutoff,
      Recorder recorder) {
    this.state = state;
    this.workers = workers;
    this.references = sorts.references();
    this.candidates = new CandidateSweep(state, workers, sorts.candidates(), recorder);
    this.walk = new UntouchedWalk(state, missing, cutoff, this);
  }

  @Override
  public void reference(long w0, long w1, long w2, long w3, int owner) {
    references.add(w0, w1, w2, w3, owner);
  }

  @Override
  public void finish() {
    state.phase(
        "walk",
        () -> new JoinWalk(state, workers, JoinWalk.MARKS_A_ROUND, walk).run(references.finish()));
    references.close();
  }

  @Override
  public void take(Hand hand, Sweeper sweeper, int row) {
    Rows rows = hand.joined;
    long w0 = rows.word(row, 1);
    long w1 = rows.word(row, 2);
    long w2 = rows.word(row, 3);
    long w3 = rows.word(row, 4);
    int kind = JoinTag.kind(rows.tag(row));
    if (kind == EntryKind.USING
        || sweeper.judge(hand.directory, w0, w1, w2, w3, kind) == Cutoff.Verdict.REMOVE) {
      synchronized (unused) {
        CandidateSweep.put(
            unused, hand.directory.prefix(), rows.word(row, 0), w0, w1, w2, w3, kind);
      }
    }
  }

  @Override
  public void endRound() {
    candidates.add(unused);
    unused.clear();
  }

  @Override
  public OptionalLong candidates() {
    return OptionalLong.of(candidates.count());
  }

  @Override
  public void sweep(Cutoff cutoff) {
    candidates.run(cutoff);
  }

  @Override
  public void close() {
    references.close();
    candidates.close();
  }
}
