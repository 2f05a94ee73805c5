package io.tidemark.store;

import io.tidemark.posix.PosixException;
import io.tidemark.posix.RecordLock;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Finds out whether backups are writing to a datastore, and since when. */
final class WriterProbe {
  /*
   * A writer holds the shared lock for as long as it writes, so nobody else's lock means no writer.
   * The time is taken before the probe: whoever comes after the probe writes and touches later than
   * that. It is whole seconds of 20 ms ago, because the kernel stamps files with a clock that lags
   * by up to a tick, 10 ms at 100 Hz: a touch just after a full second could bear the second before.
   */
  private static final long TICK_NANOS = 20_000_000;
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long LINE_NANOS = 30 * SECOND_NANOS;
  private static final long POLL_MILLIS = 300;

  /* A backup that starts in this second may be ahead by one; beyond that the clock was set back. */
  private static final long MOST_AHEAD_SECONDS = 300;

  private final SystemCalls calls;
  private final int file;
  private final String base;
  private final EpochClock clock;

  /** Probes through {@code file}, the descriptor of the lock file of the datastore {@code base}. */
  WriterProbe(SystemCalls calls, int file, String base, EpochClock clock) {
    this.calls = calls;
    this.file = file;
    this.base = base;
    this.clock = clock;
  }

  /** Returns the start of a run that knows of no writer. */
  static Writers none(EpochClock clock) {
    long start = Math.floorDiv(clock.wallNanos() - TICK_NANOS, SECOND_NANOS);
    return new Writers(start, start);
  }

  /**
   * Waits up to {@code wait} until nobody writes; when somebody still does, asks the task list.
   *
   * @throws BusyException when somebody writes and the task list does not tell since when
   */
  Writers await(Duration wait, PbsHost host, StopToken stop, RunLog log) {
    long started = clock.monotonicNanos();
    long nextLine = started;
    while (true) {
      Writers start = none(clock);
      OptionalInt holder = holder(RecordLock.F_WRLCK);
      if (holder.isEmpty()) {
        return start;
      }
      long now = clock.monotonicNanos();
      if (wait.compareTo(Duration.ofNanos(now - started)) <= 0) {
        return bounded(start.startSeconds(), holder.getAsInt(), host, log);
      }
      if (now - nextLine >= 0) {
        log.info(
            "Waiting for backups that are writing to datastore %s (%s)"
                .formatted(base, process(holder)));
        nextLine = now + LINE_NANOS;
      }
      stop.sleep(POLL_MILLIS);
    }
  }

  private Writers bounded(long start, int holder, PbsHost host, RunLog log) {
    OptionalLong oldest = ActiveTasks.oldestStart(host, holder);
    if (oldest.isEmpty()) {
      throw new BusyException(
          ("datastore %s is busy: %s is writing to it, and %s/active does not tell since when;"
                  + " nothing was done; wait for the backup, or let the run wait for it")
              .formatted(base, process(OptionalInt.of(holder)), host.tasks()));
    }
    if (oldest.getAsLong() > start + MOST_AHEAD_SECONDS) {
      throw new BusyException(
          ("datastore %s is busy: %s is writing to it since %s, says %s/active, but it is only %s:"
               + " the clock was set back, so the age of its chunks is unknown; nothing was done;"
               + " wait for the backup")
              .formatted(
                  base,
                  process(OptionalInt.of(holder)),
                  Instant.ofEpochSecond(oldest.getAsLong()),
                  host.tasks(),
                  Instant.ofEpochSecond(start)));
    }
    // A writer is always older than the run, be it by a moment.
    long seconds = Math.min(start - 1, oldest.getAsLong());
    log.info(
        "Datastore %s has a writer since %s (%s)"
            .formatted(base, Instant.ofEpochSecond(seconds), process(OptionalInt.of(holder))));
    return new Writers(start, seconds);
  }

  /** Returns a process whose lock is in the way of one of type {@code type}; empty if none is. */
  OptionalInt holder(short type) {
    RecordLock lock = new RecordLock(type);
    PosixException.check(
        calls.fcntl(file, RecordLock.F_OFD_GETLK, lock), "cannot query lock", base + "/.lock");
    return lock.type() == RecordLock.F_UNLCK ? OptionalInt.empty() : OptionalInt.of(lock.pid());
  }

  /** Returns words for a lock's holder; another host's, and an OFD lock's, has no process here. */
  static String process(OptionalInt holder) {
    return holder.isPresent() && holder.getAsInt() > 0
        ? "process " + holder.getAsInt()
        : "another process";
  }
}
