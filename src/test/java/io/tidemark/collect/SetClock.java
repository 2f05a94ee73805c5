package io.tidemark.collect;

import io.tidemark.store.EpochClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A clock that stands until a test sets it. */
public final class SetClock implements EpochClock {
  private volatile long wall;
  private volatile long monotonic;

  public SetClock(Instant now) {
    wall = ChronoUnit.NANOS.between(Instant.EPOCH, now);
  }

  @Override
  public long wallNanos() {
    return wall;
  }

  @Override
  public long monotonicNanos() {
    return monotonic;
  }

  /** Lets time pass. */
  public synchronized void pass(Duration time) {
    wall += time.toNanos();
    monotonic += time.toNanos();
  }

  /** Sets the wall clock forwards, or backwards, while no time passes. */
  public synchronized void jump(Duration by) {
    wall += by.toNanos();
  }
}
