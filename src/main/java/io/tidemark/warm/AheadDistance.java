package io.tidemark.warm;

/** Says how many directories ahead of their use may be read; safe for many threads. */
public final class AheadDistance {
  /*
   * Far enough to hide one listing, and no farther: what is read too early is evicted before its
   * use and read twice. So the distance grows by one when the flush had to wait for a listing, and
   * is halved when touches in a directory that was read ahead had to wait all the same. It begins
   * at 0: while nothing waits, everything is in memory and reading ahead would only cost.
   */
  private static final int MOST = 64;

  private final boolean fixed;
  private int current;

  private AheadDistance(int first, boolean fixed) {
    this.current = first;
    this.fixed = fixed;
  }

  /** Always {@code directories}; 0 turns reading ahead off. */
  public static AheadDistance fixed(int directories) {
    return new AheadDistance(directories, true);
  }

  /** As many as the waits of the flush ask for. */
  public static AheadDistance following() {
    return new AheadDistance(0, false);
  }

  /** Returns the distance now. */
  public synchronized int current() {
    return current;
  }

  /** Notes that the flush waited for the listing of a directory. */
  public synchronized void waited() {
    if (!fixed && current < MOST) {
      current++;
    }
  }

  /** Notes that touches in a directory that was read ahead waited for the device. */
  public synchronized void blocked() {
    if (!fixed) {
      current /= 2;
    }
  }
}
