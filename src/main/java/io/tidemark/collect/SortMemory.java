package io.tidemark.collect;

/** Says how many bytes of the heap sorting may take. */
final class SortMemory {
  /*
   * Half of the heap by default: the cache of recent digests takes up to 56 MB of the rest, and an
   * array that grows is there twice for a moment.
   */
  private static final long LEAST_BYTES = 16 << 20;

  private SortMemory() {}

  static long bytes(long asked) {
    return asked != 0 ? asked : Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / 2);
  }
}
