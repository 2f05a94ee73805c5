package io.tidemark.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Tells the time; tests pass one of their own. */
public interface EpochClock {
  /** The clocks of this machine. */
  EpochClock SYSTEM =
      new EpochClock() {
        @Override
        public long wallNanos() {
          return ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
        }

        @Override
        public long monotonicNanos() {
          return System.nanoTime();
        }
      };

  /** Returns the nanoseconds since 1970 that the wall clock shows, which may jump. */
  long wallNanos();

  /** Returns the nanoseconds since some moment, which never jump. */
  long monotonicNanos();
}
