package io.tidemark.warm;

import org.roaringbitmap.RoaringBitmap;

/** Remembers which of the 65,536 chunk directories of a run are warm; safe for many threads. */
public final class WarmDirectories {
  /*
   * A directory is warm once it has been read, for then its inodes are on their way into memory
   * (on ZFS readdir prefetches them). It is warm no longer when touches in it had to wait for the
   * disk: a wait shows as a voluntary context switch of the thread, or as blocks read where the
   * file system accounts them. One directory that waited for more than a quarter of its touches
   * loses its bit. When more than half of the directories that a flush took for warm did so, what
   * was loaded has been evicted altogether, and all bits are cleared.
   */
  private static final double BLOCKED_SHARE = 0.25;
  private static final double EVICTED_SHARE = 0.5;

  private final Rewarm rewarm;
  private final RoaringBitmap warm = new RoaringBitmap();
  private int trustedInFlush;
  private int blockedInFlush;
  private long warmed;
  private long alreadyWarm;

  public WarmDirectories(Rewarm rewarm) {
    this.rewarm = rewarm;
  }

  /** Tells whether the directory has to be warmed before its use now. */
  public synchronized boolean needsWarming(int prefix) {
    if (rewarm != Rewarm.ALWAYS && warm.contains(prefix)) {
      alreadyWarm++;
      return false;
    }
    return true;
  }

  /** Notes that a directory has been read. */
  public synchronized void warmed(int prefix) {
    warm.add(prefix);
    warmed++;
  }

  /** Tells whether a run of touches waited for more of them than a warm directory explains. */
  public static boolean isBlocked(long touches, long waits) {
    return waits > touches * BLOCKED_SHARE;
  }

  /** Notes how a run of touches went in a directory that was warm already. */
  public synchronized void used(int prefix, long touches, long waits) {
    if (rewarm != Rewarm.AUTO) {
      return;
    }
    trustedInFlush++;
    if (isBlocked(touches, waits)) {
      blockedInFlush++;
      warm.remove(prefix);
    }
  }

  /** Ends a flush; returns true when all directories count as cold from now on. */
  public synchronized boolean endFlush() {
    boolean evicted = blockedInFlush > trustedInFlush * EVICTED_SHARE;
    if (evicted) {
      warm.clear();
    }
    trustedInFlush = 0;
    blockedInFlush = 0;
    return evicted;
  }

  /** Returns how many directory readings were noted. */
  public synchronized long countWarmed() {
    return warmed;
  }

  /** Returns how often a directory was found warm. */
  public synchronized long countAlreadyWarm() {
    return alreadyWarm;
  }
}
