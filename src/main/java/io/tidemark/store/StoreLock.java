package io.tidemark.store;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.Open;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.RecordLock;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import java.time.Duration;

/** Keeps other collections out of a datastore, and knows since when somebody may be writing. */
public final class StoreLock implements AutoCloseable {
  /*
   * Two locks. Backups and the server's own collection meet at record locks on the file .lock:
   * writers hold it shared, a collection exclusively. We hold it shared, as a writer would, so
   * that no backup fails because of us. That would let two of our own runs in; the second lock,
   * flock on the datastore's directory, which nobody else uses, keeps them apart. The record lock
   * belongs to the open file (OFD), so that closing another descriptor of .lock in this process
   * does not drop it, and so that two runs in one process see each other.
   */
  private static final String LOCK = ".lock";
  private static final int NONE = -1;

  private final SystemCalls calls;
  private final int directory;
  private final int file;
  private final Writers writers;
  private final LockMode held;
  private boolean closed;

  private StoreLock(SystemCalls calls, int directory, int file, Writers writers, LockMode held) {
    this.calls = calls;
    this.directory = directory;
    this.file = file;
    this.writers = writers;
    this.held = held;
  }

  /**
   * Locks the datastore whose directory is {@code base}; to be closed in the same thread.
   *
   * @param wait how long a shared lock waits for backups to end; afterwards the list of running
   *     tasks says how old they are
   * @throws BusyException when another collection runs, or a writer of unknown age
   * @throws RefusedException when it is no datastore
   */
  public static StoreLock take(
      SystemCalls calls,
      String base,
      LockMode mode,
      Access access,
      Duration wait,
      PbsHost host,
      EpochClock clock,
      StopToken stop,
      RunLog log) {
    int directory =
        PosixException.check(
            calls.openat(
                Open.AT_FDCWD,
                FileName.encode(base),
                Open.O_RDONLY | Open.O_DIRECTORY | Open.O_CLOEXEC,
                0),
            "cannot open datastore",
            base);
    int file = NONE;
    try {
      excludeOwnRuns(calls, directory, base);
      file = open(calls, directory, base, access);
      if (file == NONE) {
        log.info(path(base) + " does not exist: the dry run goes on without a lock");
        return new StoreLock(calls, directory, NONE, WriterProbe.none(clock), LockMode.SHARED);
      }
      WriterProbe probe = new WriterProbe(calls, file, base, clock);
      lock(calls, file, base, mode, probe);
      Writers writers =
          mode == LockMode.EXCLUSIVE ? WriterProbe.none(clock) : probe.await(wait, host, stop, log);
      return new StoreLock(calls, directory, file, writers, mode);
    } catch (RuntimeException e) {
      release(calls, directory, file);
      throw e;
    }
  }

  /* NFS wants a descriptor open for writing, which a directory's cannot be, and says EBADF. */
  private static void excludeOwnRuns(SystemCalls calls, int directory, String base) {
    int result = calls.flock(directory, Open.LOCK_EX | Open.LOCK_NB);
    switch (-result) {
      case Errno.EAGAIN ->
          throw new BusyException(
              ("datastore %s is busy: another run of Tidemark has locked it; nothing was done;"
                      + " wait until that run has ended")
                  .formatted(base));
      case Errno.EBADF, Errno.ENOLCK, Errno.EOPNOTSUPP, Errno.EINVAL -> {}
      default -> PosixException.check(result, "cannot lock datastore", base);
    }
  }

  private static int open(SystemCalls calls, int directory, String base, Access access) {
    byte[] name = FileName.encode(LOCK);
    int file = calls.openat(directory, name, Open.O_RDWR | Open.O_CLOEXEC, 0);
    if (access == Access.READ_ONLY) {
      if (file == -Errno.EROFS || file == -Errno.EACCES) {
        file = calls.openat(directory, name, Open.O_RDONLY | Open.O_CLOEXEC, 0);
      }
      if (file == -Errno.ENOENT) {
        return NONE;
      }
    }
    if (file == -Errno.ENOENT) {
      throw new RefusedException(
          path(base)
              + " does not exist: this is no Proxmox Backup Server datastore, or it is not mounted;"
              + " nothing was done; name the directory that contains .chunks and .lock");
    }
    return PosixException.check(file, "cannot open lock file", path(base));
  }

  private static void lock(
      SystemCalls calls, int file, String base, LockMode mode, WriterProbe probe) {
    boolean exclusive = mode == LockMode.EXCLUSIVE;
    short type = exclusive ? RecordLock.F_WRLCK : RecordLock.F_RDLCK;
    int result = calls.fcntl(file, RecordLock.F_OFD_SETLK, new RecordLock(type));
    switch (-result) {
      case Errno.EAGAIN, Errno.EACCES ->
          throw new BusyException(
              "datastore %s is busy: %s holds %s, %s; nothing was done; try again when it has ended"
                  .formatted(
                      base,
                      WriterProbe.process(probe.holder(type)),
                      path(base),
                      exclusive
                          ? "a backup, a sync job or a collection"
                          : "a collection by Proxmox Backup Server"));
      case Errno.EBADF ->
          throw new RefusedException(
              ("%s can only be read, so it cannot be locked exclusively; nothing was done;"
                      + " use the shared lock for this dry run")
                  .formatted(path(base)));
      default -> PosixException.check(result, "cannot lock", path(base));
    }
  }

  private static String path(String base) {
    return base + "/" + LOCK;
  }

  private static void release(SystemCalls calls, int directory, int file) {
    if (file != NONE) {
      calls.close(file);
    }
    calls.close(directory);
  }

  /** Returns the moment before which everybody else's writing is known, in seconds since 1970. */
  public long startSeconds() {
    return writers.startSeconds();
  }

  /** Returns since when somebody may be writing, in seconds since 1970; the start if nobody is. */
  public long oldestWriterSeconds() {
    return writers.oldestSeconds();
  }

  public boolean isExclusive() {
    return held == LockMode.EXCLUSIVE;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      release(calls, directory, file);
    }
  }
}
