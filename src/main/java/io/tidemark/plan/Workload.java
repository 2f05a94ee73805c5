package io.tidemark.plan;

/**
 * What a collection has to do.
 *
 * @param directories chunk directories
 * @param chunks in all of them
 * @param used chunks that index files require
 * @param references of all index files, repeated ones included
 * @param batchSize references that the strategy {@code deferred} takes at once
 * @param cacheBytes of metadata that the memory holds
 */
public record Workload(
    long directories,
    double chunks,
    Interval used,
    long references,
    int batchSize,
    long cacheBytes) {
  /* An inode and a name in memory, on most file systems; ZFS takes about as much. */
  private static final long BYTES_A_CHUNK = 1024;

  /** Tells whether what a run looks at is likely to stay in memory. */
  boolean fitsInMemory() {
    return chunks * BYTES_A_CHUNK < cacheBytes / 2.0;
  }
}
