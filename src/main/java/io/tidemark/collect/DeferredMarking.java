package io.tidemark.collect;

import io.tidemark.batch.DirectoryRun;
import io.tidemark.batch.DirectoryRuns;
import io.tidemark.batch.Rows;
import io.tidemark.flush.Toucher;
import io.tidemark.report.Point;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.sweep.Cutoff;
import io.tidemark.warm.AheadDistance;
import io.tidemark.warm.WarmAhead;
import io.tidemark.warm.WarmDirectories;
import io.tidemark.warm.Warmer;
import io.tidemark.work.Workers;
import java.util.function.Supplier;

/** Collects references in a bounded batch and touches its chunks directory by directory. */
final class DeferredMarking implements Marking {
  /*
   * A full batch is sorted, which puts the digests of a directory side by side, and loses its
   * duplicates. Then each directory is opened once: read, unless it is warm, and its chunks are
   * touched relative to it. The workers take a directory at a time.
   */
  private final RunState state;
  private final Workers<Hand> workers;
  private final Toucher toucher;
  private static final int DIRECTORIES_A_STEP = 2048;

  private final FullSweep sweep;
  private final Recorder recorder;
  private final WarmDirectories warm;
  private final Warmer warmer;
  private final AheadDistance distance;
  private final WarmAhead ahead;
  private final Rows batch;

  /**
   * Makes a marking.
   *
   * @param directories makes the hand of a thread that reads directories ahead
   */
  DeferredMarking(
      RunState state,
      Workers<Hand> workers,
      Toucher toucher,
      FullSweep sweep,
      Recorder recorder,
      Supplier<ChunkDirectory> directories) {
    this.state = state;
    this.workers = workers;
    this.toucher = toucher;
    this.sweep = sweep;
    this.recorder = recorder;
    this.warm = new WarmDirectories(state.options.rewarm());
    this.warmer = new Warmer(warm, state.stop, state.log);
    this.distance = state.options.aheadDistance();
    this.ahead = new WarmAhead(directories, warmer, distance);
    this.batch = new Rows(4, state.options.batchSize());
  }

  @Override
  public void reference(long w0, long w1, long w2, long w3, int owner) {
    if (batch.isFull()) {
      flush();
    }
    batch.add(w0, w1, w2, w3, owner);
  }

  @Override
  public void finish() {
    flush();
    batch.release();
  }

  private void flush() {
    if (batch.isEmpty()) {
      return;
    }
    state.points.reach(Point.BEFORE_FLUSH);
    batch.sort();
    batch.dropDuplicates(4);
    DirectoryRuns runs = new DirectoryRuns(batch);
    ahead.start(runs.size(), index -> runs.get(index).prefix());
    touch(runs);
    warm.endFlush();
    batch.clear();
    state.flushes++;
    state.directoriesWarmed = warm.countWarmed();
    state.directoriesAlreadyWarm = warm.countAlreadyWarm();
    state.points.reach(Point.AFTER_FLUSH);
    recorder.settled();
  }

  private void touch(DirectoryRuns runs) {
    int step = recorder.step(Math.min(recorder.step(), DIRECTORIES_A_STEP), runs.size());
    for (int first = 0; first < runs.size(); ) {
      int from = first;
      first +=
          workers.runSome(
              "touch",
              Math.min(step, runs.size() - from),
              (hand, unit) -> touch(hand, from + unit, runs.get(from + unit)));
      if (first < runs.size()) {
        recorder.settledBefore(runs.get(first).prefix());
      }
    }
  }

  private void touch(Hand hand, int unit, DirectoryRun run) {
    boolean readAhead = ahead.reach(unit) == WarmAhead.Reached.READ_AHEAD;
    long before = hand.waits();
    boolean exists = hand.directory.open(run.prefix());
    boolean wasWarm = exists && !readAhead && warmer.warm(hand.directory);
    long waits = hand.waits();
    if (!readAhead && waits > before) {
      distance.waited();
    }
    Rows rows = run.rows();
    for (int row = run.from(); row < run.to(); row++) {
      state.stop.check();
      toucher.touch(
          hand.directory,
          rows.word(row, 0),
          rows.word(row, 1),
          rows.word(row, 2),
          rows.word(row, 3),
          rows.tag(row));
    }
    long blocked = hand.waits() - waits;
    if (wasWarm) {
      warm.used(run.prefix(), run.size(), blocked);
    } else if (readAhead && WarmDirectories.isBlocked(run.size(), blocked)) {
      distance.blocked();
    }
  }

  @Override
  public void sweep(Cutoff cutoff) {
    sweep.run(cutoff);
  }

  @Override
  public void close() {
    ahead.close();
  }
}
