package io.tidemark.collect;

import io.tidemark.batch.Rows;
import io.tidemark.flush.MissingChunks;
import io.tidemark.posix.Errno;
import io.tidemark.posix.PosixException;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.EntryKind;
import io.tidemark.sweep.Cutoff;
import io.tidemark.sweep.Removal;
import io.tidemark.sweep.Sweeper;

/** Counts what a walk finds when nothing is touched, and hands on what nothing requires. */
final class UntouchedWalk implements JoinWalk.Visitor {
  /*
   * Access times do not say what is in use when nothing has been touched; the exact set of
   * references does. What a mark requires counts as touched.
   */

  /** Takes the entries that nothing requires. */
  interface Unused {
    /** Takes the joined row {@code row} of the open directory. */
    void take(Hand hand, Sweeper sweeper, int row);

    /** Is told, in the thread of the run, that all directories of a round have been taken. */
    default void endRound() {}
  }

  private final RunState state;
  private final MissingChunks missing;
  private final Cutoff cutoff;
  private final Unused unused;

  UntouchedWalk(RunState state, MissingChunks missing, Cutoff cutoff, Unused unused) {
    this.state = state;
    this.missing = missing;
    this.cutoff = cutoff;
    this.unused = unused;
  }

  @Override
  public boolean unlisted(Hand hand, long w0, long w1, long w2, long w3, int owner) {
    int result = hand.directory.stat(w0, w1, w2, w3, EntryKind.CHUNK);
    if (result == -Errno.ENOENT) {
      missing.add(w0, w1, w2, w3, owner, countBad(hand.directory, w0, w1, w2, w3));
      return false;
    }
    PosixException.check(
        result,
        "cannot examine a chunk that \"" + missing.ownerPath(owner) + "\" requires,",
        hand.directory.path(w0, w1, w2, w3, EntryKind.CHUNK));
    if (hand.directory.status().isRegular()) {
      state.inUse(hand.directory.status().size());
    }
    return true;
  }

  @Override
  public void directory(Hand hand) {
    Sweeper sweeper =
        new Sweeper(cutoff, Removal.PRETEND, state.removals, state.stop, state.log, state.points)
            .judgingBy(FullSweep.age(state));
    Rows rows = hand.joined;
    for (int row = 0; row < rows.size(); row++) {
      long w0 = rows.word(row, 1);
      long w1 = rows.word(row, 2);
      long w2 = rows.word(row, 3);
      long w3 = rows.word(row, 4);
      int tag = rows.tag(row);
      int kind = JoinTag.kind(tag);
      if (kind == EntryKind.ASIDE && hand.directory.stat(w0, w1, w2, w3, EntryKind.CHUNK) == 0) {
        continue; // the chunk has been written anew, so a collection drops this one uncounted
      }
      if (JoinTag.isUsed(tag)) {
        sweeper.inUse(hand.directory, w0, w1, w2, w3, kind);
      } else {
        unused.take(hand, sweeper, row);
      }
    }
    state.swept(sweeper.counts());
  }

  @Override
  public void endRound(int end) {
    unused.endRound();
  }

  private static int countBad(ChunkDirectory directory, long w0, long w1, long w2, long w3) {
    int found = 0;
    for (int number = 0; number < 10; number++) {
      found += directory.stat(w0, w1, w2, w3, EntryKind.bad(number)) == 0 ? 1 : 0;
    }
    return found;
  }
}
