package io.tidemark.benchmarks.simulation;

/**
 * The store that is simulated.
 *
 * @param used chunks that some index requires
 * @param old chunks that none does and that are removed
 * @param young chunks that none does and that are kept
 * @param directories that hold chunks
 * @param emptyDirectories that hold none
 * @param groups machines that are backed up
 * @param snapshots of each
 * @param change share of an image that is new from snapshot to snapshot
 * @param large share of the chunks that belong to images larger than {@code largeImage}
 * @param largeImage chunks of such an image, at least; the other images are of equal size
 */
record Shape(
    int used,
    int old,
    int young,
    int directories,
    int emptyDirectories,
    int groups,
    int snapshots,
    double change,
    double large,
    int largeImage) {
  int chunks() {
    return used + old + young;
  }

  int allDirectories() {
    return directories + emptyDirectories;
  }

  /** Returns the number of chunks of one image out of which a group's {@code chunks} come. */
  int image(int chunks) {
    return (int) Math.max(1, chunks / (1 + (snapshots - 1) * change));
  }
}
