package io.tidemark.store;

import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import java.time.Instant;

/** Checks before a collection that touching a chunk moves its access time to the present. */
public final class AtimeCheck {
  /*
   * A file system that swallows touches would leave every chunk in use looking old, and the sweep
   * would remove them all. So one chunk is touched twice, a second apart, and the access time must
   * grow, in nanoseconds; after the second touch it must have grown for a new descriptor, too, and
   * for the server where there is one, since some file systems only cache the new value. Where
   * times are so coarse that a second is too short, two more seconds are given, once.
   *
   * On network file systems the server's clock may set the time. Touched chunks that are stamped
   * in the past look older than they are, so the difference to our clock is measured.
   */
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long TICK_NANOS = 20_000_000;
  private static final long NOTED_NANOS = 2 * SECOND_NANOS + TICK_NANOS;
  private static final long REFUSED_NANOS = 3600 * SECOND_NANOS;

  /** The digest of the chunk that the check writes and keeps. */
  public static final String PROBE_DIGEST = ZeroChunk.NAME;

  private static final long PAUSE_MILLIS = 1000;

  /**
   * What the check measured.
   *
   * @param skewSeconds how far the file system's clock is ahead of the local one; negative when it
   *     is behind; 0 when they agree to within a tick
   */
  public record Result(long skewSeconds) {}

  /* What a touch did: the status before, after, and through a new descriptor. */
  private record Touch(
      FileStatus before, FileStatus after, FileStatus reopened, long earliest, long latest) {
    boolean replaced() {
      return before.inode() != after.inode() || before.inode() != reopened.inode();
    }

    boolean grew() {
      return after.atimeInNanos() > before.atimeInNanos()
          && reopened.atimeInNanos() > before.atimeInNanos();
    }

    boolean wholeSeconds() {
      return before.atimeNanos() == 0 && reopened.atimeNanos() == 0;
    }
  }

  private final SystemCalls calls;
  private final int chunks;
  private final String chunksPath;
  private final EpochClock clock;
  private final long pauseMillis;
  private final StopToken stop;
  private final RunLog log;

  private AtimeCheck(
      SystemCalls calls,
      int chunks,
      String chunksPath,
      EpochClock clock,
      long pauseMillis,
      StopToken stop,
      RunLog log) {
    this.calls = calls;
    this.chunks = chunks;
    this.chunksPath = chunksPath;
    this.clock = clock;
    this.pauseMillis = pauseMillis;
    this.stop = stop;
    this.log = log;
  }

  /**
   * Checks the access times of a datastore; takes between one and four seconds.
   *
   * @param chunks the descriptor of the chunk directory
   * @throws RefusedException when touches do not work as they must, or the clocks differ by more
   *     than an hour
   * @throws PosixException when a touch fails
   */
  public static Result run(
      SystemCalls calls,
      int chunks,
      String chunksPath,
      EpochClock clock,
      StopToken stop,
      RunLog log) {
    return run(calls, chunks, chunksPath, clock, PAUSE_MILLIS, stop, log);
  }

  /** Does the same with a pause that tests, which know their file system, make short. */
  static Result run(
      SystemCalls calls,
      int chunks,
      String chunksPath,
      EpochClock clock,
      long pauseMillis,
      StopToken stop,
      RunLog log) {
    ProbeChunk probe = new ProbeChunk(calls, chunks, chunksPath, stop);
    AtimeCheck check = new AtimeCheck(calls, chunks, chunksPath, clock, pauseMillis, stop, log);
    Result result = check.run(probe, probe.provide(log));
    log.info("Access time update check successful, proceeding with GC.");
    return result;
  }

  private Result run(ProbeChunk probe, String name) {
    String path = chunksPath + "/" + name;
    Touch touch = touch(probe, name, pauseMillis);
    if (touch.replaced()) {
      touch = touch(probe, name, pauseMillis);
    }
    boolean slow = !touch.replaced() && !touch.grew();
    if (slow) {
      touch = touch(probe, name, 2 * pauseMillis);
    }
    refuseUnusable(touch, path);
    if (slow || touch.wholeSeconds()) {
      log.info(
          "Access times of this file system have a granularity of %s (seen on %s)"
              .formatted(slow ? "more than 1 s, up to 3 s" : "1 s", path));
    }
    return new Result(skewSeconds(touch, path));
  }

  private Touch touch(ProbeChunk probe, String name, long millis) {
    stop.sleep(millis);
    byte[] encoded = FileName.encode(name);
    FileStatus before =
        stat(chunks, encoded, Open.AT_SYMLINK_NOFOLLOW | Open.AT_STATX_FORCE_SYNC, name);
    long earliest = clock.wallNanos();
    probe.touch(name);
    long latest = clock.wallNanos();
    FileStatus after = stat(chunks, encoded, Open.AT_SYMLINK_NOFOLLOW, name);
    return new Touch(before, after, reopened(encoded, name), earliest, latest);
  }

  private FileStatus reopened(byte[] encoded, String name) {
    int flags = Open.O_RDONLY | Open.O_NOFOLLOW | Open.O_CLOEXEC;
    int fd =
        PosixException.check(
            calls.openat(chunks, encoded, flags, 0), "cannot open chunk", chunksPath + "/" + name);
    try {
      return stat(fd, FileName.encode(""), Open.AT_EMPTY_PATH | Open.AT_STATX_FORCE_SYNC, name);
    } finally {
      calls.close(fd);
    }
  }

  private FileStatus stat(int directory, byte[] encoded, int flags, String name) {
    FileStatus status = new FileStatus();
    PosixException.check(
        calls.statx(directory, encoded, flags, status),
        "cannot stat chunk",
        chunksPath + "/" + name);
    return status;
  }

  private static void refuseUnusable(Touch touch, String path) {
    if (touch.replaced()) {
      throw new RefusedException(
          ("somebody keeps replacing chunk %s, so access times cannot be checked; nothing was done;"
                  + " try again")
              .formatted(path));
    }
    if (touch.before().mtimeInNanos() != touch.reopened().mtimeInNanos()) {
      throw new RefusedException(
          ("touching chunk %s changed its modification time from %s to %s; nothing was removed;"
                  + " do not collect on this file system")
              .formatted(
                  path,
                  time(touch.before().mtimeInNanos()),
                  time(touch.reopened().mtimeInNanos())));
    }
    if (!touch.grew()) {
      boolean cached = touch.after().atimeInNanos() > touch.before().atimeInNanos();
      throw new RefusedException(
          ("touching chunk %s did not change its access time (%s before, %s after, %s after opening"
                  + " it again): the file system %s, so chunks in use would be removed; nothing was"
                  + " removed; do not collect on this file system")
              .formatted(
                  path,
                  time(touch.before().atimeInNanos()),
                  time(touch.after().atimeInNanos()),
                  time(touch.reopened().atimeInNanos()),
                  cached ? "does not store access times" : "ignores access times"));
    }
  }

  private long skewSeconds(Touch touch, String path) {
    long atime = touch.after().atimeInNanos();
    long nanos = 0;
    if (atime < touch.earliest() - TICK_NANOS) {
      nanos = atime - touch.earliest();
    } else if (atime > touch.latest()) {
      nanos = atime - touch.latest();
    }
    long away = Math.ceilDiv(Math.abs(nanos), SECOND_NANOS);
    String clocks =
        "the clock of the file system is %s s %s this host's (chunk %s touched at %s got %s)"
            .formatted(
                away, nanos < 0 ? "behind" : "ahead of", path, time(touch.earliest()), time(atime));
    if (Math.abs(nanos) > REFUSED_NANOS) {
      throw new RefusedException(clocks + "; nothing was removed; set both clocks");
    }
    if (Math.abs(nanos) > NOTED_NANOS) {
      log.info("Note that " + clocks);
    }
    return Long.signum(nanos) * away;
  }

  private static String time(long nanos) {
    return Instant.EPOCH.plusNanos(nanos).toString();
  }
}
