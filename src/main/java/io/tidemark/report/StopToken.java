package io.tidemark.report;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Asks a run to stop; one token belongs to one run and may be used from any thread. */
public final class StopToken {
  private final CountDownLatch requested = new CountDownLatch(1);
  private volatile boolean stopped;
  private volatile boolean windingDown;

  /** Asks the run to stop; it does so within two seconds, and leaves a store to collect later. */
  public void request() {
    stopped = true;
    requested.countDown();
  }

  public boolean isRequested() {
    return stopped;
  }

  /** Asks the run to finish what is in hand, to note how far it has come, and to stop there. */
  public void windDown() {
    windingDown = true;
  }

  /** Tells whether nothing new is to be begun: somebody has asked to stop, or to wind down. */
  public boolean isWindingDown() {
    return stopped || windingDown;
  }

  /**
   * Returns while nobody has asked to stop.
   *
   * @throws StoppedException when somebody has
   */
  public void check() {
    if (stopped) {
      throw new StoppedException();
    }
  }

  /**
   * Waits for {@code millis} milliseconds, or until somebody asks to stop.
   *
   * @throws StoppedException when somebody has asked
   */
  public void sleep(long millis) {
    try {
      if (requested.await(millis, TimeUnit.MILLISECONDS) || windingDown) {
        throw new StoppedException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoppedException();
    }
  }
}
