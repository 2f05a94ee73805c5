package io.tidemark.sweep;

import io.tidemark.posix.FileStatus;

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
