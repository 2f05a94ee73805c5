package io.tidemark.plan;

/** Follows how fast references are read, and tells whether all can be read in time. */
public final class ReadingPace {
  /*
   * The first look is the start of the measurement: what came before, a program that warms up and
   * the first directories of groups, says nothing of the rest.
   */
  private static final int TRIED_PART = 20;

  private final long startNanos;
  private final long allowedNanos;
  private final long references;
  private long firstNanos = Long.MIN_VALUE;
  private long firstRead;

  /**
   * @param startNanos when the reading begins
   * @param allowedNanos how long it may take
   * @param references how many there are
   */
  public ReadingPace(long startNanos, long allowedNanos, long references) {
    this.startNanos = startNanos;
    this.allowedNanos = allowedNanos;
    this.references = references;
  }

  /** Tells, when {@code read} references have been read, whether the rest would take too long. */
  public boolean isHopeless(long nowNanos, long read) {
    long taken = nowNanos - startNanos;
    if (taken > allowedNanos) {
      return true;
    }
    if (firstNanos == Long.MIN_VALUE) {
      firstNanos = nowNanos;
      firstRead = read;
    }
    return nowNanos - firstNanos > allowedNanos / TRIED_PART
        && taken + (references - read) * secondsAReference(nowNanos, read) * 1e9 > allowedNanos;
  }

  /** Returns how long a reference took, when {@code read} have been read. */
  public double secondsAReference(long nowNanos, long read) {
    boolean measured = firstNanos != Long.MIN_VALUE && read > 2 * firstRead;
    long nanos = nowNanos - (measured ? firstNanos : startNanos);
    return nanos / 1e9 / Math.max(1, measured ? read - firstRead : read);
  }
}
