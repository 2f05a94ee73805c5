package io.tidemark.plan;

import java.util.concurrent.atomic.LongAdder;

/** Adds up how long listings and look-ups took; for many threads. */
public final class Timings {
  private final LongAdder listings = new LongAdder();
  private final LongAdder listingNanos = new LongAdder();
  private final LongAdder byDigest = new LongAdder();
  private final LongAdder byDigestNanos = new LongAdder();
  private final LongAdder byInode = new LongAdder();
  private final LongAdder byInodeNanos = new LongAdder();
  private final LongAdder waits = new LongAdder();

  /** Adds the listing of one directory. */
  public void listed(long nanos) {
    listings.increment();
    listingNanos.add(nanos);
  }

  /** Adds look-ups in the order of digests, which is no order on the device. */
  public void lookedUpByDigest(long number, long nanos) {
    byDigest.add(number);
    byDigestNanos.add(nanos);
  }

  /** Adds look-ups in the order of inode numbers. */
  public void lookedUpByInode(long number, long nanos) {
    byInode.add(number);
    byInodeNanos.add(nanos);
  }

  /** Adds how often a thread has waited for the device. */
  public void waited(long times) {
    waits.add(times);
  }

  /**
   * Returns the rates so far.
   *
   * @param wallNanos how long all of it took, with several threads at once
   * @param secondsAReference how long the reading of a reference took
   */
  public Rates rates(long wallNanos, double secondsAReference) {
    long busy = listingNanos.sum() + byDigestNanos.sum() + byInodeNanos.sum();
    double inode = each(byInodeNanos, byInode);
    double digest = each(byDigestNanos, byDigest);
    return new Rates(
        each(listingNanos, listings),
        digest == 0 ? inode : digest,
        inode == 0 ? digest : inode,
        secondsAReference,
        Math.max(1, (double) busy / Math.max(1, wallNanos)),
        (double) waits.sum() / Math.max(1, listings.sum() + byDigest.sum() + byInode.sum()));
  }

  private static double each(LongAdder nanos, LongAdder number) {
    return number.sum() == 0 ? 0 : nanos.sum() / 1e9 / number.sum();
  }
}
