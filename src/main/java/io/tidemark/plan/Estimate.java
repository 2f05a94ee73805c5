package io.tidemark.plan;

/**
 * How much there is of one kind of chunk.
 *
 * @param chunks their number
 * @param bytes their sizes together
 * @param share their part of all chunks, from 0 to 1
 */
public record Estimate(Interval chunks, Interval bytes, Interval share) {
  /** Returns figures without doubt. */
  public static Estimate exactly(long chunks, long bytes, long ofChunks) {
    return new Estimate(
        Interval.exactly((double) chunks),
        Interval.exactly((double) bytes),
        Interval.exactly(ofChunks == 0 ? 0 : (double) chunks / ofChunks));
  }
}
