package io.tidemark.collect;

import io.tidemark.report.Point;
import io.tidemark.report.Points;
import io.tidemark.report.Span;
import io.tidemark.store.EpochClock;
import io.tidemark.store.RefusedException;
import java.util.EnumSet;
import java.util.Set;

/** Looks at the clock between the steps of a run, and ends the run when it cannot be trusted. */
final class ClockWatch implements Points {
  /*
   * Whatever is touched from the start of a run on must be younger than the cutoff. It is as long
   * as the clock never shows a time before the start, but for what is tolerated. A look at the end
   * of the mark alone is not enough: a clock that was set back and put right again meanwhile has
   * left chunks in use that look old, and one that is set back during the sweep makes what backups
   * touch then look old. Where a chunk has its private name nothing is thrown, so that it gets its
   * own name back; there the second look compares the access times themselves, and the run ends
   * before the next chunk.
   */
  private static final long TOLERATED_SETBACK_SECONDS = 300;
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final Set<Point> AT_WORK =
      EnumSet.of(Point.SET_ASIDE, Point.BEFORE_UNLINK, Point.UNLINKED, Point.BEFORE_PUT_BACK);

  private final EpochClock clock;
  private final Points next;
  private final long earliestNanos;
  private final long wallNanos;
  private final long monotonicNanos;
  private volatile long seenNanos = Long.MAX_VALUE;

  /**
   * Watches the clock for a run.
   *
   * @param startSeconds when the run started, in seconds since 1970
   * @param graceSeconds how long an unused chunk is kept
   * @param next is told of the points after the look
   */
  ClockWatch(EpochClock clock, long startSeconds, long graceSeconds, Points next) {
    this.clock = clock;
    this.next = next;
    this.earliestNanos = (startSeconds - toleratedSeconds(graceSeconds)) * SECOND_NANOS;
    this.wallNanos = startSeconds * SECOND_NANOS;
    this.monotonicNanos = clock.monotonicNanos();
  }

  /**
   * Returns by how much the clock may be set back when chunks are kept for {@code graceSeconds}.
   */
  static long toleratedSeconds(long graceSeconds) {
    return Math.min(TOLERATED_SETBACK_SECONDS, graceSeconds / 2);
  }

  @Override
  public void reach(Point point) {
    long wall = clock.wallNanos();
    if (wall < earliestNanos) {
      seenNanos = wall;
    }
    if (seenNanos < earliestNanos && !AT_WORK.contains(point)) {
      long back = wallNanos - seenNanos + clock.monotonicNanos() - monotonicNanos;
      throw new RefusedException(
          ("the clock of this machine was set back by %s, to before the start of this run, so"
                  + " access times cannot be compared; run the collection again")
              .formatted(Span.format(Math.ceilDiv(back, SECOND_NANOS))));
    }
    next.reach(point);
  }
}
