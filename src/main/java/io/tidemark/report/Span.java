package io.tidemark.report;

import java.util.StringJoiner;

/** Writes durations for people, as Proxmox Backup Server does: {@code 1d 5m}. */
public final class Span {
  /* A year has 365.25 days and a month, whose sign is a capital, 30.44. */
  private static final long[] SECONDS = {31_557_600, 2_630_016, 604_800, 86_400, 3600, 60, 1};
  private static final String[] SIGNS = {"y", "M", "w", "d", "h", "m", "s"};

  private Span() {}

  /** Returns {@code seconds}, which is not negative, in units whose zero parts are left out. */
  public static String format(long seconds) {
    if (seconds == 0) {
      return "0s";
    }
    StringJoiner parts = new StringJoiner(" ");
    long rest = seconds;
    for (int i = 0; i < SECONDS.length; i++) {
      if (rest >= SECONDS[i]) {
        parts.add(rest / SECONDS[i] + SIGNS[i]);
        rest %= SECONDS[i];
      }
    }
    return parts.toString();
  }
}
