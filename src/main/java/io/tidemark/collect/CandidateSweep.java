package io.tidemark.collect;

import io.tidemark.batch.DirectoryRun;
import io.tidemark.batch.DirectoryRuns;
import io.tidemark.batch.ExternalSort;
import io.tidemark.batch.RowStream;
import io.tidemark.batch.Rows;
import io.tidemark.sweep.Cutoff;
import io.tidemark.sweep.Sweeper;
import io.tidemark.work.Workers;

/** Looks at the entries that nothing requires, and removes what the cutoff lets go. */
final class CandidateSweep implements AutoCloseable {
  /*
   * A row is the directory's prefix above the low 48 bits of the inode number, and the digest; the
   * tag is the kind. So the rows ascend by directory, and in it by inode: a directory is opened
   * once, and its blocks are changed while they are in memory. The workers take a directory each.
   *
   * The external sort belongs to the thread of the run, so what workers take waits in a buffer.
   */
  private static final long INODE_MASK = (1L << 48) - 1;

  private static final int ROWS_AT_HAND = 1 << 17;

  private final RunState state;
  private final Workers<Hand> workers;
  private final ExternalSort candidates;
  private final Recorder recorder;
  private final Rows taken = new Rows(5, Rows.maximumCapacity(5));

  CandidateSweep(
      RunState state, Workers<Hand> workers, ExternalSort candidates, Recorder recorder) {
    this.state = state;
    this.workers = workers;
    this.candidates = candidates;
    this.recorder = recorder;
  }

  /** Takes an entry of the directory {@code prefix}, in any thread. */
  void take(int prefix, long inode, long w0, long w1, long w2, long w3, int kind) {
    synchronized (taken) {
      taken.add((long) prefix << 48 | (inode & INODE_MASK), w0, w1, w2, w3, kind);
    }
  }

  /** Moves on, in the thread of the run, what the workers have taken; none of them is at work. */
  void endRound() {
    candidates.addAll(taken);
    taken.clear();
  }

  /** Returns how many there are, but for those taken since the last round. */
  long count() {
    return candidates.rowsAdded();
  }

  void run(Cutoff cutoff) {
    RowStream stream = candidates.finish();
    Rows atHand = new Rows(5, Rows.maximumCapacity(5));
    boolean more = stream.next();
    int most = Math.min(ROWS_AT_HAND, recorder.step());
    long seen = 0;
    int percent = 0;
    while (more) {
      atHand.clear();
      int prefix = -1;
      // Up to the end of the directory in which the number is reached.
      while (more && (atHand.size() < most || prefix(stream) == prefix)) {
        prefix = prefix(stream);
        atHand.add(
            stream.word(0),
            stream.word(1),
            stream.word(2),
            stream.word(3),
            stream.word(4),
            stream.tag());
        more = stream.next();
      }
      DirectoryRuns runs = new DirectoryRuns(atHand);
      int done =
          workers.runSome(
              "sweep", runs.size(), (hand, unit) -> sweep(hand, runs.get(unit), cutoff));
      if (done < runs.size()) {
        recorder.swept(runs.get(done).prefix());
      } else {
        recorder.swept(more ? prefix(stream) : FullSweep.DIRECTORIES);
      }
      seen += atHand.size();
      int reached = (int) (seen * 100 / Math.max(1, candidates.rowsAdded()));
      if (reached > percent && reached < 100) {
        state.log.info("processed %d%% (%d chunks)".formatted(reached, seen));
        percent = reached;
      }
    }
  }

  private static int prefix(RowStream stream) {
    return (int) (stream.word(0) >>> 48);
  }

  private void sweep(Hand hand, DirectoryRun run, Cutoff cutoff) {
    Sweeper sweeper = FullSweep.sweeper(state, cutoff);
    try {
      if (hand.directory.open(run.prefix())) {
        Rows rows = run.rows();
        for (int row = run.from(); row < run.to(); row++) {
          sweeper.entry(
              hand.directory,
              rows.word(row, 1),
              rows.word(row, 2),
              rows.word(row, 3),
              rows.word(row, 4),
              rows.tag(row));
        }
        sweeper.endDirectory(hand.directory);
      }
    } finally {
      state.swept(run.prefix(), sweeper.counts());
    }
  }

  @Override
  public void close() {
    candidates.close();
  }
}
