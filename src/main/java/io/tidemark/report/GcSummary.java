package io.tidemark.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** Writes the last log lines of a collection, under the labels of Proxmox Backup Server. */
public final class GcSummary {
  private GcSummary() {}

  /** Returns the lines in order; those that would say nothing are left out. */
  public static List<String> lines(GcStatus status) {
    List<String> lines = new ArrayList<>();
    long lookups = status.cacheStats().hits() + status.cacheStats().misses();
    if (lookups > 0) {
      lines.add(
          "Chunk cache: hits %s, misses %s (hit ratio %s%%)"
              .formatted(
                  status.cacheStats().hits(),
                  status.cacheStats().misses(),
                  twoDecimals(status.cacheStats().hits() * 100.0 / lookups)));
    }
    lines.add("Removed garbage: " + HumanBytes.format(status.removedBytes()));
    lines.add("Removed chunks: " + status.removedChunks());
    if (status.pendingBytes() > 0) {
      lines.add(
          "Pending removals: %s (in %s chunks)"
              .formatted(HumanBytes.format(status.pendingBytes()), status.pendingChunks()));
    }
    if (status.removedBad() > 0) {
      lines.add("Removed bad chunks: " + status.removedBad());
    }
    if (status.stillBad() > 0) {
      lines.add("Leftover bad chunks: " + status.stillBad());
    }
    usage(status, lines);
    return lines;
  }

  private static void usage(GcStatus status, List<String> lines) {
    long logical = status.indexDataBytes();
    long disk = status.diskBytes();
    lines.add("Original data usage: " + HumanBytes.format(logical));
    if (logical > 0) {
      lines.add(
          "On-Disk usage: %s (%s%%)"
              .formatted(HumanBytes.format(disk), twoDecimals(disk * 100.0 / logical)));
    }
    lines.add("On-Disk chunks: " + status.diskChunks());
    lines.add("Deduplication factor: " + twoDecimals(disk > 0 ? (double) logical / disk : 1));
    if (status.diskChunks() > 0) {
      lines.add("Average chunk size: " + HumanBytes.format(disk / status.diskChunks()));
    }
  }

  /* Rounds the exact value of the binary fraction, ties to even, with a point in every locale. */
  private static String twoDecimals(double value) {
    return new BigDecimal(value).setScale(2, RoundingMode.HALF_EVEN).toPlainString();
  }
}
