package io.tidemark.log;

import io.tidemark.digest.HexDigest;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.Open;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.store.EntryKind;
import io.tidemark.store.EpochClock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** Writes down what is going to be removed before it is, and afterwards what was not. */
public final class RemovalLog implements AutoCloseable {
  /*
   * A batch is what one thread is about to remove from one directory, up to 1,024 files. It is
   * appended as one gzip member, with one write, and is on the device (fdatasync) before the first
   * of its files goes: whatever happens then, a chunk that is gone has its line. What became of
   * the batch is written in front of the next one, whoever writes that, and at the end of the run.
   *
   * A member begins with the line of its run, so that each can be read without those before it:
   *
   *   run <run> <path of the store>
   *   kept <batch> <name> <why>       those of an earlier batch that were not removed
   *   done <batch>                    all others of it were
   *   batch <batch> <time>
   *   <name> <bytes> <access time>    a name is a digest, or a digest and .0.bad
   *   end <time>
   */
  private static final DateTimeFormatter RUN =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private static final int READABLE = 0640;
  private static final int CLOSED = -1;

  private final SystemCalls calls;
  private final String path;
  private final String runLine;
  private final String run;
  private final EpochClock clock;
  private final RunLog log;
  private final StringBuilder confirmed = new StringBuilder();
  private int file;
  private long batches;

  private RemovalLog(
      SystemCalls calls, int file, String path, String store, EpochClock clock, RunLog log) {
    this.calls = calls;
    this.file = file;
    this.path = path;
    this.clock = clock;
    this.log = log;
    this.run =
        RUN.format(now())
            + "-"
            + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 6);
    this.runLine = "run " + run + " " + store.replaceAll("\\p{Cntrl}", "?") + "\n";
  }

  /**
   * Opens a log for one run, or makes it, and notes the run; to be closed in the same thread.
   *
   * @param path an absolute path
   * @throws PosixException when it cannot be written
   */
  public static RemovalLog open(
      SystemCalls calls, String path, String store, EpochClock clock, RunLog log) {
    int flags = Open.O_WRONLY | Open.O_CREAT | Open.O_APPEND | Open.O_CLOEXEC;
    int file =
        PosixException.check(
            calls.openat(Open.AT_FDCWD, FileName.encode(path), flags, READABLE),
            "cannot open the removal log",
            path);
    RemovalLog opened = new RemovalLog(calls, file, path, store, clock, log);
    try {
      opened.append(calls, opened.runLine);
    } catch (PosixException e) {
      calls.close(file);
      throw e;
    }
    log.info(
        "Removals are written to %s before they happen, as run %s".formatted(path, opened.run));
    return opened;
  }

  /** Returns the name of this run in the log. */
  public String run() {
    return run;
  }

  private Instant now() {
    return Instant.ofEpochSecond(0, clock.wallNanos());
  }

  /**
   * Writes down a batch; when this returns, it is on the device.
   *
   * @param own the system calls of the thread that asks
   * @return the number of the batch
   * @throws PosixException when it cannot be written; then nothing of it may be removed
   */
  public long announce(SystemCalls own, Removals batch) {
    StringBuilder lines = new StringBuilder(96 * batch.size());
    for (int row = 0; row < batch.size(); row++) {
      lines
          .append(name(batch, row))
          .append(' ')
          .append(batch.bytes(row))
          .append(' ')
          .append(Instant.ofEpochSecond(batch.atimeSeconds(row)))
          .append('\n');
    }
    long number;
    synchronized (this) {
      requireOpen();
      number = ++batches;
      append(own, runLine + confirmed + "batch " + number + " " + now() + "\n" + lines);
      confirmed.setLength(0);
    }
    sync(own);
    return number;
  }

  /** Notes what became of a batch, to be written with the next one. */
  public synchronized void confirm(long number, Removals batch) {
    for (int row = 0; row < batch.size(); row++) {
      if (batch.fate(row) != Fate.REMOVED) {
        confirmed
            .append("kept ")
            .append(number)
            .append(' ')
            .append(name(batch, row))
            .append(' ')
            .append(batch.fate(row).label())
            .append('\n');
      }
    }
    confirmed.append("done ").append(number).append('\n');
  }

  private static String name(Removals batch, int row) {
    return HexDigest.format(
            batch.word(row, 0), batch.word(row, 1), batch.word(row, 2), batch.word(row, 3))
        + EntryKind.suffix(batch.kind(row));
  }

  private void requireOpen() {
    if (file == CLOSED) {
      throw new IllegalStateException("the removal log is closed");
    }
  }

  private void append(SystemCalls own, String lines) {
    byte[] rest = Member.pack(lines);
    while (rest.length > 0) {
      // A file that is open for appending is written at its end, whatever the offset.
      int written =
          PosixException.check(
              own.pwrite(file, rest, rest.length, 0), "cannot write the removal log", path);
      rest = Arrays.copyOfRange(rest, written, rest.length);
    }
  }

  /* What is not a file on a device, such as a pipe, has nothing to be flushed. */
  private void sync(SystemCalls own) {
    int result = own.fdatasync(file);
    if (result != -Errno.EINVAL) {
      PosixException.check(result, "cannot write the removal log", path);
    }
  }

  /** Writes what is left to say; that this fails is a warning, since all removals are noted. */
  @Override
  public synchronized void close() {
    if (file == CLOSED) {
      return;
    }
    try {
      append(calls, runLine + confirmed + "end " + now() + "\n");
      sync(calls);
    } catch (PosixException e) {
      log.warn(
          "removal-log-not-closed",
          "warning: %s; all removals are in it, but not which of the last ones failed"
              .formatted(e.getMessage()),
          path);
    } finally {
      calls.close(file);
      file = CLOSED;
    }
  }
}
