package io.tidemark.collect;

import io.tidemark.batch.Rows;
import io.tidemark.report.Point;
import io.tidemark.store.EntryKind;
import io.tidemark.store.LockMode;
import io.tidemark.sweep.Age;
import io.tidemark.sweep.Cutoff;
import io.tidemark.sweep.Removal;
import io.tidemark.sweep.Sweeper;
import io.tidemark.work.Workers;
import java.util.concurrent.atomic.AtomicInteger;

/** Visits every chunk directory and removes what the cutoff lets go. */
final class FullSweep {
  /*
   * Directory by directory, so that a directory's blocks are read once, and in it by ascending
   * inode number, which is the order in which inodes lie on the device: neighbours share a block.
   */
  static final int DIRECTORIES = 65536;

  private static final int DIRECTORIES_A_STEP = 512;

  /* Odd, so that samples of a store that uses every 64th directory meet one of them in 64. */
  private static final int SCATTER = 40503;

  private final RunState state;
  private final Workers<Hand> workers;
  private final Recorder recorder;
  private final AtomicInteger percent = new AtomicInteger();

  FullSweep(RunState state, Workers<Hand> workers, Recorder recorder) {
    this.state = state;
    this.workers = workers;
    this.recorder = recorder;
  }

  void run(Cutoff cutoff) {
    int step = recorder.step(DIRECTORIES_A_STEP, state.chunkDirectories);
    state.directories.set(recorder.firstUnswept());
    for (int first = recorder.firstUnswept(); first < state.chunkDirectories; ) {
      int from = first;
      first +=
          workers.runSome(
              "sweep",
              Math.min(step, state.chunkDirectories - from),
              (hand, unit) -> sweep(hand, from + unit, cutoff));
      recorder.swept(first);
    }
  }

  /** Returns how removals are done in this run. */
  static Removal removal(RunState state) {
    if (state.options.action() == Options.Action.DRY_RUN) {
      return Removal.PRETEND;
    }
    return state.options.lockMode() == LockMode.EXCLUSIVE ? Removal.DIRECT : Removal.SET_ASIDE;
  }

  /**
   * Returns the prefix of the directory {@code number} in a scattered order, which has each once.
   */
  static int scattered(int number) {
    return number * SCATTER & (DIRECTORIES - 1);
  }

  /** Makes what removes in this run, for one thread. */
  static Sweeper sweeper(RunState state, Cutoff cutoff) {
    return new Sweeper(cutoff, removal(state), state.removals, state.stop, state.log, state.points)
        .announcingIn(state.removalLog)
        .judgingBy(age(state));
  }

  /** Returns by which time of a chunk it is judged in this run. */
  static Age age(RunState state) {
    return state.options.action() == Options.Action.EMERGENCY ? Age.ACCESS_OR_WRITING : Age.ACCESS;
  }

  private void sweep(Hand hand, int prefix, Cutoff cutoff) {
    if (hand.directory.open(prefix)) {
      Sweeper sweeper = sweeper(state, cutoff);
      try {
        hand.listByInode();
        state.points.reach(Point.DIRECTORY_LISTED);
        hand.restoreAside(1);
        Rows entries = hand.entries;
        for (int row = 0; row < entries.size(); row++) {
          if (entries.tag(row) == EntryKind.FOREIGN) {
            continue; // set aside by an earlier run, and it could not be put back
          }
          sweeper.entry(
              hand.directory,
              entries.word(row, 1),
              entries.word(row, 2),
              entries.word(row, 3),
              entries.word(row, 4),
              entries.tag(row));
        }
        sweeper.endDirectory(hand.directory);
      } finally {
        state.swept(prefix, sweeper.counts());
      }
      state.chunks.add(hand.entries.size());
    }
    progress(state.directories.incrementAndGet());
  }

  private void progress(int done) {
    int reached = (int) (done * 100L / state.chunkDirectories);
    int before = percent.getAndAccumulate(reached, Math::max);
    if (reached > before && reached < 100) {
      state.log.info("processed %d%% (%d chunks)".formatted(reached, state.chunks.sum()));
    }
  }
}
