package io.tidemark.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/** System calls of a machine whose time is what a test says, on a store with few directories. */
public final class StampedCalls implements SystemCalls {
  /*
   * A touch sets the access time to the test's time instead of the kernel's, in the same one system
   * call, so whatever a run and the test do in one process is on one clock. Chunk directories that
   * the store does not have are answered for without the kernel: a run asks for 65,536. The lock of
   * another open file of this process passes for that of another process.
   */
  private static final int PREFIX_NAME = 5;
  private static final long UTIME_OMIT = (1L << 30) - 2;
  private static final long SECOND = 1_000_000_000;

  private final SystemCalls calls;
  private final LongSupplier nanos;
  private final IntPredicate exists;
  private final int otherProcess;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment errno = arena.allocate(LibC.ERRNO);
  private final MemorySegment name = arena.allocate(4096);
  private final MemorySegment times = arena.allocate(32, 8);

  /**
   * Puts itself around the calls of the current thread.
   *
   * @param nanos tells the time at which a touch happens, in nanoseconds since 1970
   * @param exists tells by its number whether a chunk directory exists
   * @param otherProcess the process that holds all locks that are not this run's
   */
  public StampedCalls(LongSupplier nanos, IntPredicate exists, int otherProcess) {
    this.calls = Posix.open();
    this.nanos = nanos;
    this.exists = exists;
    this.otherProcess = otherProcess;
    times.set(JAVA_LONG, 24, UTIME_OMIT);
  }

  private boolean isAbsent(byte[] path) {
    if (path.length != PREFIX_NAME) {
      return false;
    }
    int prefix = 0;
    for (int i = 0; i < 4; i++) {
      int digit = path[i] <= '9' ? path[i] - '0' : path[i] - 'a' + 10;
      if (digit < 0 || digit > 15) {
        return false;
      }
      prefix = prefix << 4 | digit;
    }
    return !exists.test(prefix);
  }

  @Override
  public int openat(int directory, byte[] path, int flags, int mode) {
    return isAbsent(path) ? -Errno.ENOENT : calls.openat(directory, path, flags, mode);
  }

  @Override
  public int statx(int directory, byte[] path, int flags, FileStatus into) {
    return isAbsent(path) ? -Errno.ENOENT : calls.statx(directory, path, flags, into);
  }

  private void setTimes() {
    long now = nanos.getAsLong();
    times.set(JAVA_LONG, 0, Math.floorDiv(now, SECOND));
    times.set(JAVA_LONG, 8, Math.floorMod(now, SECOND));
  }

  @Override
  public int utimensat(int directory, byte[] path, int flags) {
    setTimes();
    MemorySegment.copy(path, 0, name, JAVA_BYTE, 0, path.length);
    try {
      int result = (int) LibC.UTIMENSAT.invokeExact(errno, directory, name, times, flags);
      return result < 0 ? LibC.negated(errno) : result;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int futimens(int fd) {
    setTimes();
    try {
      int result = (int) LibC.FUTIMENS.invokeExact(errno, fd, times);
      return result < 0 ? LibC.negated(errno) : result;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int fcntl(int fd, int command, RecordLock lock) {
    int result = calls.fcntl(fd, command, lock);
    if (lock.pid == -1) {
      lock.pid = otherProcess;
    }
    return result;
  }

  @Override
  public int close(int fd) {
    return calls.close(fd);
  }

  @Override
  public int pread(int fd, byte[] into, int length, long offset) {
    return calls.pread(fd, into, length, offset);
  }

  @Override
  public int pwrite(int fd, byte[] from, int length, long offset) {
    return calls.pwrite(fd, from, length, offset);
  }

  @Override
  public int getdents64(int fd, Dirents into) {
    return calls.getdents64(fd, into);
  }

  @Override
  public int unlinkat(int directory, byte[] path, int flags) {
    return calls.unlinkat(directory, path, flags);
  }

  @Override
  public int renameat2(int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags) {
    return calls.renameat2(fromDirectory, from, toDirectory, to, flags);
  }

  @Override
  public int linkat(int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags) {
    return calls.linkat(fromDirectory, from, toDirectory, to, flags);
  }

  @Override
  public int ftruncate(int fd, long length) {
    return calls.ftruncate(fd, length);
  }

  @Override
  public int fchmod(int fd, int mode) {
    return calls.fchmod(fd, mode);
  }

  @Override
  public int fchown(int fd, int uid, int gid) {
    return calls.fchown(fd, uid, gid);
  }

  @Override
  public int flock(int fd, int operation) {
    return calls.flock(fd, operation);
  }

  @Override
  public int getrusage(ThreadUsage into) {
    return calls.getrusage(into);
  }

  @Override
  public int fstatfs(int fd, FileSystemStatus into) {
    return calls.fstatfs(fd, into);
  }

  @Override
  public int syncfs(int fd) {
    return calls.syncfs(fd);
  }

  @Override
  public int fdatasync(int fd) {
    return calls.fdatasync(fd);
  }

  @Override
  public int nameToHandleAt(int directory, byte[] path, FileHandle into, int flags) {
    return calls.nameToHandleAt(directory, path, into, flags);
  }

  @Override
  public int openByHandleAt(int mount, FileHandle handle, int flags) {
    return calls.openByHandleAt(mount, handle, flags);
  }

  @Override
  public int ioctl(int fd, long request, byte[] argument) {
    return calls.ioctl(fd, request, argument);
  }

  @Override
  public int geteuid() {
    return calls.geteuid();
  }

  @Override
  public void close() {
    calls.close();
    arena.close();
  }
}
