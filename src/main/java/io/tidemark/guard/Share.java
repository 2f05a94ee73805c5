package io.tidemark.guard;

import java.util.Locale;

/**
 * How many of a store's chunks have some property, counted or estimated.
 *
 * @param part those that have it
 * @param total all chunks
 * @param error the standard error of {@code part / total}; 0 when it was counted
 */
public record Share(long part, long total, double error) {
  /* Of a hundred thousand collections just below a limit, three would cross this by accident. */
  private static final double ERRORS = 4;

  /** Returns a share that was counted. */
  public static Share counted(long part, long total) {
    return new Share(part, total, 0);
  }

  double ratio() {
    return total == 0 ? 0 : (double) part / total;
  }

  /** Returns what the part is at least, as far as chance goes. */
  long least() {
    return error == 0 ? part : Math.max(0, (long) ((ratio() - ERRORS * error) * total));
  }

  boolean isAbove(int percent) {
    return least() > total * (percent / 100.0);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        error == 0 ? "%d of %d chunks (%.1f %%)" : "about %d of %d chunks (%.1f %% by a sample)",
        part,
        total,
        100 * ratio());
  }
}
