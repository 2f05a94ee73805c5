package io.tidemark.sweep;

/**
 * Decides by its access time what becomes of a chunk; fixed before the first touch of a run.
 *
 * @param minimumAtimeSeconds chunks used before this may go, in seconds since 1970
 * @param oldestWriterSeconds chunks used from this on are in use: the start of the run, or of the
 *     oldest writer that was active then
 */
public record Cutoff(long minimumAtimeSeconds, long oldestWriterSeconds) {
  /* A writer that started before the cutoff moves it, with five minutes to spare. */
  private static final long WRITER_MARGIN_SECONDS = 300;

  /** What becomes of a chunk. */
  public enum Verdict {
    /** Nobody needs it. */
    REMOVE,
    /** No index needs it, but it is too young to go. */
    PENDING,
    /** It is in use. */
    KEEP
  }

  /**
   * Returns the cutoff of a run.
   *
   * @param startSeconds when the run started
   * @param oldestWriterSeconds when the oldest active writer started; the start when there is none
   * @param graceSeconds how long an unused chunk is kept
   */
  public static Cutoff of(long startSeconds, long oldestWriterSeconds, long graceSeconds) {
    long minimum = startSeconds - graceSeconds;
    if (oldestWriterSeconds < minimum) {
      minimum = oldestWriterSeconds - WRITER_MARGIN_SECONDS;
    }
    return new Cutoff(minimum, oldestWriterSeconds);
  }

  /** Returns the cutoff that keeps what this one keeps, and what another would. */
  public Cutoff notAfter(long otherMinimumSeconds, long otherOldestWriterSeconds) {
    return new Cutoff(
        Math.min(minimumAtimeSeconds, otherMinimumSeconds),
        Math.min(oldestWriterSeconds, otherOldestWriterSeconds));
  }

  /**
   * Decides about a chunk.
   *
   * @param atimeSeconds a chunk's access time in whole seconds
   */
  public Verdict verdict(long atimeSeconds) {
    if (atimeSeconds < minimumAtimeSeconds) {
      return Verdict.REMOVE;
    }
    return atimeSeconds < oldestWriterSeconds ? Verdict.PENDING : Verdict.KEEP;
  }
}
