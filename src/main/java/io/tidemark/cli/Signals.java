package io.tidemark.cli;

import io.tidemark.report.StopToken;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Turns SIGINT and SIGTERM into a request to stop, and gives the run time to end in order. */
final class Signals implements AutoCloseable {
  /*
   * The JVM ends on a signal once its shutdown hooks have returned, with status 130 or 143. The
   * hook asks the run to stop and waits until it has; a run that hangs in a system call is left.
   */
  private static final long PATIENCE_MILLIS = 1900;

  private final StopToken stop;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stopRun, "tidemark-signal");

  Signals(StopToken stop) {
    this.stop = stop;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  StopToken stop() {
    return stop;
  }

  private void stopRun() {
    stop.request();
    try {
      boolean inTime = ended.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      if (!inTime) {
        System.err.println("tidemark: stopped in the middle of a system call");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    ended.countDown();
    if (!stop.isRequested()) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }
}
