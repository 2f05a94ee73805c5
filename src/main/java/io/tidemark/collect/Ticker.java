package io.tidemark.collect;

/** Tells the listener about once a second how a run gets on, and logs when nothing else does. */
final class Ticker implements AutoCloseable {
  private static final long PERIOD_MILLIS = 1000;
  private static final long SILENCE_NANOS = 25_000_000_000L;

  private final RunState state;
  private final ProgressListener listener;
  private final Thread thread = new Thread(this::tick, "tidemark-ticker");

  Ticker(RunState state, ProgressListener listener) {
    this.state = state;
    this.listener = listener;
    thread.setDaemon(true);
  }

  void start() {
    watchTime();
    thread.start();
  }

  private void watchTime() {
    if (state.isOverTime()) {
      state.stop.windDown();
    }
  }

  private void tick() {
    try {
      while (true) {
        Thread.sleep(PERIOD_MILLIS);
        watchTime();
        Progress progress = state.progress();
        listener.progress(progress);
        if (state.log.nanosSinceLastLine() > SILENCE_NANOS) {
          state.log.info(line(progress));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // close() ends the thread
    }
  }

  static String line(Progress progress) {
    return "%s: %d of %d index files, %d references read, %d chunks touched, %d of %d directories"
        .formatted(
            progress.phase(),
            progress.indexFiles(),
            progress.indexFilesTotal(),
            progress.references(),
            progress.touched(),
            progress.directories(),
            FullSweep.DIRECTORIES);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
