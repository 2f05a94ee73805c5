package io.tidemark.collect;

import io.tidemark.journal.Origin;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.Span;
import io.tidemark.store.AtimeCheck;
import io.tidemark.store.ChunkStore;
import io.tidemark.store.RefusedException;
import io.tidemark.store.StoreLock;
import io.tidemark.sweep.Cutoff;
import java.time.Instant;
import java.util.Optional;

/** Fixes, before the first touch, the moment that decides what may go, and guards it. */
final class Start {
  /*
   * Touched chunks carry the file system's time. When its clock is behind the local one by k
   * seconds, a chunk touched now looks k seconds older, so the start of the run moves back by k.
   * When the local clock is set back during the mark by more than the smaller of five minutes and
   * half of the grace time, the access times cannot be trusted and the run ends before the sweep.
   */
  private static final long TOLERATED_SETBACK_SECONDS = 300;

  private final RunState state;
  private final Settings settings;
  private final SystemCalls calls;
  private final ChunkStore store;
  private final StoreLock lock;
  private final long wallNanos;
  private final long monotonicNanos;
  private long skewSeconds;

  Start(RunState state, Settings settings, SystemCalls calls, ChunkStore store, StoreLock lock) {
    this.state = state;
    this.settings = settings;
    this.calls = calls;
    this.store = store;
    this.lock = lock;
    this.wallNanos = state.environment.clock().wallNanos();
    this.monotonicNanos = state.environment.clock().monotonicNanos();
  }

  /** Checks that access times work, unless that is not wanted or nothing may be written. */
  void check() {
    if (state.options.action() == Options.Action.DRY_RUN) {
      state.log.info("Dry run: nothing is written to the store");
    } else if (state.options.action() == Options.Action.EMERGENCY) {
      state.log.info(
          "Emergency: nothing is touched, and access times are not checked; what no index file"
              + " requires goes when it was neither used nor written since the cutoff");
    } else if (settings.atimeCheck() == Options.AtimeCheckMode.SKIP) {
      state.log.info("Access time update check disabled by datastore tuning options.");
    } else {
      skewSeconds =
          AtimeCheck.run(
                  calls,
                  store.descriptor(),
                  store.chunksPath(),
                  state.environment.clock(),
                  state.stop,
                  state.log)
              .skewSeconds();
    }
  }

  /** Returns when this run began, in seconds since 1970 by the file system's clock. */
  long startSeconds() {
    return lock.startSeconds() + behindSeconds();
  }

  /** Returns what that clock shows now. */
  long nowSeconds() {
    return Math.floorDiv(state.environment.clock().wallNanos(), 1_000_000_000L) + behindSeconds();
  }

  private long behindSeconds() {
    return Math.min(0, skewSeconds);
  }

  /** Returns by how much the clock may be set back without harm. */
  long toleratedSetBackSeconds() {
    return Math.min(TOLERATED_SETBACK_SECONDS, settings.graceSeconds() / 2);
  }

  /**
   * Returns the cutoff of this run, and logs it.
   *
   * @param continued the run that this one continues: what that one kept, this one keeps as well
   */
  Cutoff cutoff(Optional<Origin> continued) {
    long start = startSeconds();
    long oldestWriter = Math.min(start, lock.oldestWriterSeconds() + behindSeconds());
    Cutoff cutoff = Cutoff.of(start, oldestWriter, settings.graceSeconds());
    if (continued.isPresent()) {
      return cutoff.notAfter(
          continued.get().minimumAtimeSeconds(), continued.get().oldestWriterSeconds());
    }
    state.log.info(
        "Using access time cutoff %s, minimum access time is %s"
            .formatted(
                Span.format(settings.graceSeconds()),
                Instant.ofEpochSecond(start - settings.graceSeconds())));
    if (oldestWriter < start - settings.graceSeconds()) {
      state.log.info(
          "Oldest backup writer started at %s, extending minimum access time to %s"
              .formatted(
                  Instant.ofEpochSecond(oldestWriter),
                  Instant.ofEpochSecond(cutoff.minimumAtimeSeconds())));
    }
    if (settings.capacityConfigured()) {
      state.log.info("Using chunk digest cache capacity of " + settings.cacheCapacity() + ".");
    }
    return cutoff;
  }

  /**
   * Lets the sweep begin only when the clock has not been set back during the mark.
   *
   * @throws RefusedException when it has
   */
  void refuseClockSetBack() {
    long wall = state.environment.clock().wallNanos() - wallNanos;
    long real = state.environment.clock().monotonicNanos() - monotonicNanos;
    long backSeconds = (real - wall) / 1_000_000_000L;
    if (backSeconds > toleratedSetBackSeconds()) {
      throw new RefusedException(
          ("the clock of this machine was set back by %s during the mark, so access times cannot"
                  + " be compared; nothing was removed; run the collection again")
              .formatted(Span.format(backSeconds)));
    }
  }
}
