package io.tidemark.collect;

import io.tidemark.posix.CallSource;
import io.tidemark.posix.Posix;
import io.tidemark.report.Points;
import io.tidemark.store.CacheSize;
import io.tidemark.store.EpochClock;

/**
 * What a collection takes from the machine; tests pass calls that fail and clocks that jump.
 *
 * @param calls makes the system calls of each thread
 * @param clock tells the time
 * @param cache estimates the memory for metadata
 * @param points is told of the boundaries between the steps of a run
 */
public record Environment(CallSource calls, EpochClock clock, CacheSize cache, Points points) {
  /** The machine itself. */
  public static final Environment SYSTEM =
      new Environment(Posix::open, EpochClock.SYSTEM, CacheSize.SYSTEM, Points.NONE);

  /** Returns this environment with {@code points}. */
  public Environment watchedBy(Points points) {
    return new Environment(calls, clock, cache, points);
  }

  /** Returns this environment with {@code calls}. */
  public Environment calling(CallSource calls) {
    return new Environment(calls, clock, cache, points);
  }
}
