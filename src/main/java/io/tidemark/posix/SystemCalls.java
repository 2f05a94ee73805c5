package io.tidemark.posix;

/**
 * The system calls that the engine makes, for one thread at a time.
 *
 * <p>Names and the order of arguments are those of libc. A call that fails returns the negated
 * error number; none throws. Names are C strings: bytes with a closing zero, as {@link
 * FileName#encode} makes them. Tests put a decorator around this interface that lets one call fail.
 */
public interface SystemCalls extends AutoCloseable {
  int openat(int directory, byte[] name, int flags, int mode);

  int close(int fd);

  /** Reads up to {@code length} bytes to the start of {@code into}; 0 at the end of the file. */
  int pread(int fd, byte[] into, int length, long offset);

  int pwrite(int fd, byte[] from, int length, long offset);

  /** Fills {@code into} with the next entries; returns their bytes, 0 at the end. */
  int getdents64(int fd, Dirents into);

  int statx(int directory, byte[] name, int flags, FileStatus into);

  /** Sets the access time to the file system's now and leaves the modification time alone. */
  int utimensat(int directory, byte[] name, int flags);

  /** Does what {@link #utimensat} does to the file behind a descriptor. */
  int futimens(int fd);

  int unlinkat(int directory, byte[] name, int flags);

  int renameat2(int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags);

  int linkat(int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags);

  int ftruncate(int fd, long length);

  int fchmod(int fd, int mode);

  int fchown(int fd, int uid, int gid);

  /** Sets or queries a record lock over the whole file; see {@link RecordLock}. */
  int fcntl(int fd, int command, RecordLock lock);

  int flock(int fd, int operation);

  int getrusage(ThreadUsage into);

  int fstatfs(int fd, FileSystemStatus into);

  int syncfs(int fd);

  int fdatasync(int fd);

  int nameToHandleAt(int directory, byte[] name, FileHandle into, int flags);

  int openByHandleAt(int mount, FileHandle handle, int flags);

  /** Passes {@code argument} to the device or file system, which may change it in place. */
  int ioctl(int fd, long request, byte[] argument);

  int geteuid();

  @Override
  void close();
}
