package io.tidemark.store;

/** A clock that stands still, or the machine's with an offset. */
record FakeClock(long wallNanos, long monotonicNanos) implements EpochClock {
  /** Returns a wall clock that stands at {@code nanos} since 1970. */
  static EpochClock at(long nanos) {
    return new FakeClock(nanos, 0);
  }

  /** Returns the machine's clock, its wall part set {@code nanos} ahead. */
  static EpochClock ahead(long nanos) {
    return new EpochClock() {
      @Override
      public long wallNanos() {
        return SYSTEM.wallNanos() + nanos;
      }

      @Override
      public long monotonicNanos() {
        return SYSTEM.monotonicNanos();
      }
    };
  }
}
