package io.tidemark.plan;

/**
 * A figure and the bounds between which it is, with 95 % confidence when a sample gives it.
 *
 * @param low the lower bound
 * @param estimate the most likely value
 * @param high the upper bound
 */
public record Interval(double low, double estimate, double high) {
  public static final Interval ZERO = exactly(0);

  /** Returns a figure without doubt. */
  public static Interval exactly(double value) {
    return new Interval(value, value, value);
  }

  /** Returns the interval from {@code estimate} minus to plus {@code halfWidth}. */
  static Interval around(double estimate, double halfWidth) {
    return new Interval(estimate - halfWidth, estimate, estimate + halfWidth);
  }

  /** Returns the sum, on the safe side. */
  public Interval plus(Interval other) {
    return new Interval(low + other.low, estimate + other.estimate, high + other.high);
  }

  /** Returns the same with bounds as far apart as those of both. */
  Interval widenedTo(Interval other) {
    return new Interval(Math.min(low, other.low), estimate, Math.max(high, other.high));
  }

  /** Returns the same with no bound outside of {@code least} to {@code most}. */
  Interval within(double least, double most) {
    return new Interval(
        Math.clamp(low, least, most),
        Math.clamp(estimate, least, most),
        Math.clamp(high, least, most));
  }

  /** Returns this interval in another unit. */
  Interval times(double factor) {
    return new Interval(low * factor, estimate * factor, high * factor);
  }

  /** Tells whether there is no doubt. */
  public boolean isExact() {
    return low == high;
  }

  /** Returns half of the distance between the bounds. */
  public double halfWidth() {
    return (high - low) / 2;
  }
}
