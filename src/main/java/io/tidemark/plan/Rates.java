package io.tidemark.plan;

/**
 * How fast this store answers, as measured a moment ago.
 *
 * @param secondsAListing to open and list one chunk directory, in one thread
 * @param secondsByDigest to look up one chunk in the order of digests, in one thread
 * @param secondsByInode the same in the order of inode numbers
 * @param secondsAReference to read one reference of an index file; 0 when none was read
 * @param threads how many threads were at work at once, on average
 * @param waitsACall how many of the calls had to wait for the device, from 0 on
 */
public record Rates(
    double secondsAListing,
    double secondsByDigest,
    double secondsByInode,
    double secondsAReference,
    double threads,
    double waitsACall) {
  /* Of calls that are answered from memory hardly one in a hundred gives up the processor. */
  private static final double COLD = 0.02;

  /** Returns these rates with another time for a reference. */
  public Rates withReference(double seconds) {
    return new Rates(
        secondsAListing, secondsByDigest, secondsByInode, seconds, threads, waitsACall);
  }

  /** Tells whether what was measured came from memory, so that a collection may be slower. */
  public boolean isFromMemory() {
    return waitsACall < COLD;
  }
}
