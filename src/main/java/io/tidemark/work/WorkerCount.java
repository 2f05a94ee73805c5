package io.tidemark.work;

/** Says how many workers may work at once: a fixed number, or one that follows the rate. */
public final class WorkerCount {
  /*
   * Hill climbing. Every few samples the number is doubled (or halved) for a trial; when the rate
   * over the trial is clearly better (or, going down, not clearly worse) than before, the new
   * number stays and the next trial goes the same way, else the old one comes back and the next
   * trial goes the other way, after a pause that grows. So a single disk settles at few workers
   * and an array at many, and a change of the load is noticed.
   */
  private static final int SAMPLES = 3;
  private static final double BETTER = 1.15;
  private static final double NOT_WORSE = 0.97;
  private static final int LONGEST_PAUSE = 64;

  private final int least;
  private final int most;
  private int current;
  private int before;
  private double rateBefore;
  private double sum;
  private int samples;
  private boolean onTrial;
  private boolean up = true;
  private int pause;
  private int nextPause = 4;

  private WorkerCount(int first, int least, int most) {
    this.least = least;
    this.current = first;
    this.most = most;
  }

  /** Always {@code number} workers. */
  public static WorkerCount fixed(int number) {
    return new WorkerCount(number, number, number);
  }

  /** {@code first} workers to begin with, then as many up to {@code most} as pay. */
  public static WorkerCount following(int first, int most) {
    return new WorkerCount(Math.min(first, most), 1, most);
  }

  /** Returns the most workers that there can be. */
  public int most() {
    return most;
  }

  /** Returns how many may work now. */
  public int current() {
    return current;
  }

  /**
   * Takes the rate since the last sample, in any unit, and returns how many may work from now on.
   */
  int afterSample(double rate) {
    if (least == most || (pause > 0 && pause-- > 0)) {
      return current;
    }
    sum += rate;
    if (++samples < SAMPLES) {
      return current;
    }
    double mean = sum / samples;
    sum = 0;
    samples = 0;
    if (!onTrial) {
      startTrial(mean);
    } else {
      endTrial(mean);
    }
    return current;
  }

  private void startTrial(double mean) {
    if (up ? current == most : current == least) {
      up = !up;
    }
    before = current;
    rateBefore = mean;
    current = up ? Math.min(most, current * 2) : Math.max(least, current / 2);
    onTrial = true;
  }

  private void endTrial(double mean) {
    onTrial = false;
    if (mean > rateBefore * (up ? BETTER : NOT_WORSE)) {
      nextPause = 4;
      return;
    }
    current = before;
    up = !up;
    pause = nextPause;
    nextPause = Math.min(LONGEST_PAUSE, nextPause * 2);
  }
}
