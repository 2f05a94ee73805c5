package io.tidemark.report;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Writes numbers of bytes for people, as Proxmox Backup Server does: {@code 33.788 TiB}. */
public final class HumanBytes {
  /*
   * The unit follows from the number of bits: up to 10 are bytes, up to 20 KiB, and so on to PiB,
   * which takes all the rest. So 1023 is "1023 B" and 1024 is "1 KiB". A unit is a power of two,
   * so the division is exact before it is rounded.
   */
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

  private HumanBytes() {}

  /** Returns {@code bytes}, which is not negative, with up to three decimals and a binary unit. */
  public static String format(long bytes) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(bytes);
    int unit = Math.clamp((bits - 1) / 10, 0, UNITS.length - 1);
    BigDecimal value =
        new BigDecimal(bytes)
            .divide(new BigDecimal(1L << (10 * unit)), 3, RoundingMode.HALF_UP)
            .stripTrailingZeros();
    return value.toPlainString() + " " + UNITS[unit];
  }
}
