package io.tidemark.sweep;

import io.tidemark.posix.FileStatus;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a sweep found and did; one for each thread, added up at the end. */
public final class SweepCounts {
  public long diskChunks;
  public long diskBytes;
  public long removedChunks;
  public long removedBytes;
  public long pendingChunks;
  public long pendingBytes;
  public long removedBad;
  public long stillBad;

  /** Files that somebody else removed between the listing and our turn. */
  public long gone;

  /** Files that should go and could not be removed. */
  public long failed;

  /** Markers of S3-backed stores that were removed. */
  public long markers;

  public void add(SweepCounts other) {
    diskChunks += other.diskChunks;
    diskBytes += other.diskBytes;
    removedChunks += other.removedChunks;
    removedBytes += other.removedBytes;
    pendingChunks += other.pendingChunks;
    pendingBytes += other.pendingBytes;
    removedBad += other.removedBad;
    stillBad += other.stillBad;
    gone += other.gone;
    failed += other.failed;
    markers += other.markers;
  }

  /** Takes away what {@code other} has counted. */
  public void subtract(SweepCounts other) {
    Map<String, Long> mine = toMap();
    other.toMap().forEach((name, number) -> mine.merge(name, -number, Long::sum));
    set(mine);
  }

  /** Returns all counters by name. */
  public Map<String, Long> toMap() {
    Map<String, Long> map = new LinkedHashMap<>();
    map.put("disk-chunks", diskChunks);
    map.put("disk-bytes", diskBytes);
    map.put("removed-chunks", removedChunks);
    map.put("removed-bytes", removedBytes);
    map.put("pending-chunks", pendingChunks);
    map.put("pending-bytes", pendingBytes);
    map.put("removed-bad", removedBad);
    map.put("still-bad", stillBad);
    map.put("gone", gone);
    map.put("failed", failed);
    map.put("markers", markers);
    return map;
  }

  /** Returns the counters that {@link #toMap} named; those without a name are 0. */
  public static SweepCounts of(Map<String, Long> map) {
    SweepCounts counts = new SweepCounts();
    counts.set(map);
    return counts;
  }

  private void set(Map<String, Long> map) {
    diskChunks = map.getOrDefault("disk-chunks", 0L);
    diskBytes = map.getOrDefault("disk-bytes", 0L);
    removedChunks = map.getOrDefault("removed-chunks", 0L);
    removedBytes = map.getOrDefault("removed-bytes", 0L);
    pendingChunks = map.getOrDefault("pending-chunks", 0L);
    pendingBytes = map.getOrDefault("pending-bytes", 0L);
    removedBad = map.getOrDefault("removed-bad", 0L);
    stillBad = map.getOrDefault("still-bad", 0L);
    gone = map.getOrDefault("gone", 0L);
    failed = map.getOrDefault("failed", 0L);
    markers = map.getOrDefault("markers", 0L);
  }

  /** Counts a chunk that is in use. */
  public void inUse(long size) {
    kept(false, size);
  }

  /** Counts a chunk that nobody needs when it is too young to go, and tells whether it is. */
  public boolean tooYoung(Cutoff cutoff, FileStatus status) {
    switch (cutoff.verdict(status.atimeSeconds())) {
      case KEEP -> kept(false, status.size());
      case PENDING -> pending(false, status.size());
      case REMOVE -> {
        return false;
      }
    }
    return true;
  }

  /* A corrupt copy that is in use counts in bytes only, as in PBS. */
  void kept(boolean bad, long size) {
    diskBytes += size;
    diskChunks += bad ? 0 : 1;
  }

  void pending(boolean bad, long size) {
    pendingBytes += size;
    pendingChunks += bad ? 0 : 1;
    stillBad += bad ? 1 : 0;
  }

  void removed(boolean bad, long size) {
    removedBytes += size;
    removedChunks += bad ? 0 : 1;
    removedBad += bad ? 1 : 0;
  }
}
