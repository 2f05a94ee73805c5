package io.tidemark.collect;

import io.tidemark.batch.ExternalSort;
import io.tidemark.batch.Rows;
import io.tidemark.flush.MissingChunks;
import io.tidemark.posix.Errno;
import io.tidemark.posix.PosixException;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.EntryKind;
import io.tidemark.sweep.Cutoff;
import io.tidemark.sweep.Removal;
import io.tidemark.sweep.Sweeper;
import io.tidemark.work.Workers;

/** Tells what a collection would remove, and writes nothing to the store. */
final class DryRunMarking implements Marking {
  /*
   * Nothing is touched, so access times do not say what is in use; the exact set of references
   * does. It is collected and sorted, in files of the spill directory when it is large, and joined
   * with the entries of each directory. What a mark requires counts as touched.
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
    new JoinWalk(state, workers, JoinWalk.MARKS_A_ROUND, new Counting(cutoff))
        .run(references.finish());
  }

  @Override
  public void close() {
    references.close();
  }

  /** Counts what the walk finds. */
  private final class Counting implements JoinWalk.Visitor {
    private final Cutoff cutoff;

    private Counting(Cutoff cutoff) {
      this.cutoff = cutoff;
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
      Sweeper sweeper = sweeper();
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
          sweeper.entry(hand.directory, w0, w1, w2, w3, kind);
        }
      }
      state.swept(sweeper.counts());
    }

    private static int countBad(ChunkDirectory directory, long w0, long w1, long w2, long w3) {
      int found = 0;
      for (int number = 0; number < 10; number++) {
        found += directory.stat(w0, w1, w2, w3, EntryKind.bad(number)) == 0 ? 1 : 0;
      }
      return found;
    }

    private Sweeper sweeper() {
      return new Sweeper(
          cutoff, Removal.PRETEND, state.removals, state.stop, state.log, state.points);
    }
  }
}
