package io.tidemark.collect;

import io.tidemark.posix.CallSource;
import io.tidemark.posix.Dirents;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FileHandle;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.FileSystemStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.RecordLock;
import io.tidemark.posix.SystemCalls;
import io.tidemark.posix.ThreadUsage;

/** System calls that change nothing: what would write fails with EROFS, and nothing is locked. */
final class ReadOnlyCalls implements SystemCalls {
  /*
   * Reading changes access times, too: of index files and of directories. O_NOATIME spares these,
   * where the caller owns the file or is root; else the file is opened as usual.
   */
  private static final int WRITING =
      Open.O_WRONLY
          | Open.O_RDWR
          | Open.O_CREAT
          | Open.O_APPEND
          | (Open.O_TMPFILE & ~Open.O_DIRECTORY);

  private final SystemCalls calls;

  ReadOnlyCalls(SystemCalls calls) {
    this.calls = calls;
  }

  /** Returns {@code source} without what changes anything. */
  static CallSource around(CallSource source) {
    return () -> new ReadOnlyCalls(source.open());
  }

  @Override
  public int openat(int directory, byte[] name, int flags, int mode) {
    if ((flags & WRITING) != 0) {
      return -Errno.EROFS;
    }
    int fd = calls.openat(directory, name, flags | Open.O_NOATIME, mode);
    return fd == -Errno.EPERM ? calls.openat(directory, name, flags, mode) : fd;
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
    return -Errno.EROFS;
  }

  @Override
  public int getdents64(int fd, Dirents into) {
    return calls.getdents64(fd, into);
  }

  @Override
  public int statx(int directory, byte[] name, int flags, FileStatus into) {
    return calls.statx(directory, name, flags, into);
  }

  @Override
  public int utimensat(int directory, byte[] name, int flags) {
    return -Errno.EROFS;
  }

  @Override
  public int futimens(int fd) {
    return -Errno.EROFS;
  }

  @Override
  public int unlinkat(int directory, byte[] name, int flags) {
    return -Errno.EROFS;
  }

  @Override
  public int renameat2(int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags) {
    return -Errno.EROFS;
  }

  @Override
  public int linkat(int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags) {
    return -Errno.EROFS;
  }

  @Override
  public int ftruncate(int fd, long length) {
    return -Errno.EROFS;
  }

  @Override
  public int fchmod(int fd, int mode) {
    return -Errno.EROFS;
  }

  @Override
  public int fchown(int fd, int uid, int gid) {
    return -Errno.EROFS;
  }

  @Override
  public int fcntl(int fd, int command, RecordLock lock) {
    return command == RecordLock.F_OFD_GETLK ? calls.fcntl(fd, command, lock) : -Errno.EROFS;
  }

  /* The journal of moves is read under a lock, which would hold up whoever moves a group. */
  @Override
  public int flock(int fd, int operation) {
    return 0;
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
    return -Errno.EROFS;
  }

  @Override
  public int fdatasync(int fd) {
    return -Errno.EROFS;
  }

  @Override
  public int nameToHandleAt(int directory, byte[] name, FileHandle into, int flags) {
    return calls.nameToHandleAt(directory, name, into, flags);
  }

  @Override
  public int openByHandleAt(int mount, FileHandle handle, int flags) {
    return calls.openByHandleAt(mount, handle, flags);
  }

  @Override
  public int ioctl(int fd, long request, byte[] argument) {
    return -Errno.EROFS;
  }

  @Override
  public int geteuid() {
    return calls.geteuid();
  }

  @Override
  public void close() {
    calls.close();
  }
}
