package io.tidemark.plan;

import java.util.EnumMap;
import java.util.Map;

/** What one look into a chunk directory has found. */
public final class DirectoryLook {
  final int chunks;
  private final Map<Measure, Long> counts = new EnumMap<>(Measure.class);
  private final Map<Measure, Long> bytes = new EnumMap<>(Measure.class);
  private int lookedAt;
  private long oldestPending = Long.MAX_VALUE;
  private long youngestPending = Long.MIN_VALUE;

  /**
   * @param chunks how many the directory has
   */
  public DirectoryLook(int chunks) {
    this.chunks = chunks;
  }

  /** Counts one chunk that was looked at, before it is counted as anything else. */
  public void present(long size) {
    lookedAt++;
    count(Measure.PRESENT, size);
  }

  /** Counts the same chunk as {@code measure} too. */
  public void count(Measure measure, long size) {
    counts.merge(measure, 1L, Long::sum);
    bytes.merge(measure, size, Long::sum);
  }

  /** Notes when a chunk that is too young to go was used last, in seconds since 1970. */
  public void pendingSince(long atimeSeconds) {
    oldestPending = Math.min(oldestPending, atimeSeconds);
    youngestPending = Math.max(youngestPending, atimeSeconds);
  }

  long oldestPending() {
    return oldestPending;
  }

  long youngestPending() {
    return youngestPending;
  }

  long count(Measure measure) {
    return counts.getOrDefault(measure, 0L);
  }

  long bytes(Measure measure) {
    return bytes.getOrDefault(measure, 0L);
  }

  int lookedAt() {
    return lookedAt;
  }
}
