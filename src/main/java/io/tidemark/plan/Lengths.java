package io.tidemark.plan;

import java.util.Locale;

/** Writes rough lengths of time: {@code 0.4 s}, {@code 12 min}, {@code 3.5 h}. */
public final class Lengths {
  private Lengths() {}

  /** Returns {@code seconds} in the unit that fits, with two digits at most. */
  public static String format(double seconds) {
    if (seconds < 0.1) {
      return "0.1 s";
    } else if (seconds < 9.95) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    } else if (seconds < 100) {
      return String.format(Locale.ROOT, "%.0f s", seconds);
    } else if (seconds < 100 * 60) {
      return String.format(Locale.ROOT, "%.0f min", seconds / 60);
    } else if (seconds < 100 * 3600) {
      return String.format(Locale.ROOT, "%.0f h", seconds / 3600);
    }
    return String.format(Locale.ROOT, "%.0f d", seconds / 86400);
  }
}
