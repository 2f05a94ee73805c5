package io.tidemark.benchmarks.simulation;

/**
 * What turns seconds into operations: file systems write at intervals of time, a simulation has
 * none.
 *
 * @param operationsPerSecond that the collection makes
 * @param journalBytes of ext4's journal or the log of XFS
 * @param scale by which the store was made smaller; the operations are given as after it
 */
record Pace(double operationsPerSecond, long journalBytes, double scale) {
  long operations(double seconds) {
    return Math.max(1, (long) (operationsPerSecond * seconds));
  }
}
