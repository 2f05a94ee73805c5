package io.tidemark.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The system calls of one platform thread, with the native buffers that they pass. */
public final class Posix implements SystemCalls {
  /*
   * All buffers are allocated once: a call copies its name into one of them (65 bytes for a chunk)
   * and allocates nothing. One instance must not be used by two threads at once, for they would
   * share the errno and the names; the confined arena makes such a use fail.
   */
  private static final int PATH_MAX = 4096;
  private static final int BLOCK = 1 << 20;
  private static final long UTIME_NOW = (1L << 30) - 1;
  private static final long UTIME_OMIT = (1L << 30) - 2;
  private static final int STATX_BASIC_STATS = 0x7FF;
  private static final int RUSAGE_THREAD = 1;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment errno = arena.allocate(LibC.ERRNO);
  private final MemorySegment name = arena.allocate(PATH_MAX);
  private final MemorySegment otherName = arena.allocate(PATH_MAX);
  private final MemorySegment statx = arena.allocate(256, 8);
  private final MemorySegment structure = arena.allocate(256, 8);
  private final MemorySegment mountId = arena.allocate(8, 8);
  private final MemorySegment atimeNow = arena.allocate(32, 8);
  private @Nullable MemorySegment block;

  private Posix() {
    atimeNow.set(JAVA_LONG, 8, UTIME_NOW);
    atimeNow.set(JAVA_LONG, 24, UTIME_OMIT);
  }

  /**
   * Returns the calls for the current thread.
   *
   * @throws IllegalStateException when the JVM forbids native access; the message has the flag
   */
  public static SystemCalls open() {
    try {
      return new Posix();
    } catch (IllegalCallerException | ExceptionInInitializerError | NoClassDefFoundError e) {
      throw new IllegalStateException(
          "native access is denied: start java with --enable-native-access=ALL-UNNAMED", e);
    }
  }

  @Override
  public int openat(int directory, byte[] path, int flags, int mode) {
    if (path.length > PATH_MAX) {
      return -Errno.ENAMETOOLONG;
    }
    pass(path, name);
    try {
      return orErrno((int) LibC.OPENAT.invokeExact(errno, directory, name, flags, mode));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int close(int fd) {
    try {
      return orErrno((int) LibC.CLOSE.invokeExact(errno, fd));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int pread(int fd, byte[] into, int length, long offset) {
    MemorySegment buffer = block();
    try {
      long wanted = Math.min(length, BLOCK);
      int read = orErrno((int) (long) LibC.PREAD.invokeExact(errno, fd, buffer, wanted, offset));
      if (read > 0) {
        MemorySegment.copy(buffer, JAVA_BYTE, 0, into, 0, read);
      }
      return read;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int pwrite(int fd, byte[] from, int length, long offset) {
    MemorySegment buffer = block();
    int wanted = Math.min(length, BLOCK);
    MemorySegment.copy(from, 0, buffer, JAVA_BYTE, 0, wanted);
    try {
      return orErrno(
          (int) (long) LibC.PWRITE.invokeExact(errno, fd, buffer, (long) wanted, offset));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int getdents64(int fd, Dirents into) {
    try {
      long size = into.segment.byteSize();
      int filled = orErrno((int) (long) LibC.GETDENTS64.invokeExact(errno, fd, into.segment, size));
      into.filled(Math.max(filled, 0));
      return filled;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int statx(int directory, byte[] path, int flags, FileStatus into) {
    if (path.length > PATH_MAX) {
      return -Errno.ENAMETOOLONG;
    }
    pass(path, name);
    try {
      int result =
          orErrno(
              (int)
                  LibC.STATX.invokeExact(errno, directory, name, flags, STATX_BASIC_STATS, statx));
      if (result == 0) {
        read(into);
      }
      return result;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  /* struct statx has the same layout on x86-64 and aarch64. */
  private void read(FileStatus into) {
    into.links = statx.get(JAVA_INT, 16);
    into.uid = statx.get(JAVA_INT, 20);
    into.gid = statx.get(JAVA_INT, 24);
    into.mode = statx.get(JAVA_SHORT, 28) & 0xFFFF;
    into.inode = statx.get(JAVA_LONG, 32);
    into.size = statx.get(JAVA_LONG, 40);
    into.atimeSeconds = statx.get(JAVA_LONG, 64);
    into.atimeNanos = statx.get(JAVA_INT, 72);
    into.ctimeSeconds = statx.get(JAVA_LONG, 96);
    into.ctimeNanos = statx.get(JAVA_INT, 104);
    into.mtimeSeconds = statx.get(JAVA_LONG, 112);
    into.mtimeNanos = statx.get(JAVA_INT, 120);
    into.deviceMajor = statx.get(JAVA_INT, 136);
    into.deviceMinor = statx.get(JAVA_INT, 140);
  }

  @Override
  public int utimensat(int directory, byte[] path, int flags) {
    if (path.length > PATH_MAX) {
      return -Errno.ENAMETOOLONG;
    }
    pass(path, name);
    try {
      return orErrno((int) LibC.UTIMENSAT.invokeExact(errno, directory, name, atimeNow, flags));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int futimens(int fd) {
    try {
      return orErrno((int) LibC.FUTIMENS.invokeExact(errno, fd, atimeNow));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int unlinkat(int directory, byte[] path, int flags) {
    if (path.length > PATH_MAX) {
      return -Errno.ENAMETOOLONG;
    }
    pass(path, name);
    try {
      return orErrno((int) LibC.UNLINKAT.invokeExact(errno, directory, name, flags));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int renameat2(int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags) {
    if (from.length > PATH_MAX || to.length > PATH_MAX) {
      return -Errno.ENAMETOOLONG;
    }
    pass(from, name);
    pass(to, otherName);
    try {
      return orErrno(
          (int)
              LibC.RENAMEAT2.invokeExact(
                  errno, fromDirectory, name, toDirectory, otherName, flags));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int linkat(int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags) {
    if (from.length > PATH_MAX || to.length > PATH_MAX) {
      return -Errno.ENAMETOOLONG;
    }
    pass(from, name);
    pass(to, otherName);
    try {
      return orErrno(
          (int) LibC.LINKAT.invokeExact(errno, fromDirectory, name, toDirectory, otherName, flags));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int ftruncate(int fd, long length) {
    try {
      return orErrno((int) LibC.FTRUNCATE.invokeExact(errno, fd, length));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int fchmod(int fd, int mode) {
    try {
      return orErrno((int) LibC.FCHMOD.invokeExact(errno, fd, mode));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int fchown(int fd, int uid, int gid) {
    try {
      return orErrno((int) LibC.FCHOWN.invokeExact(errno, fd, uid, gid));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  /* struct flock: type i16 @0, whence i16 @2, start i64 @8, length i64 @16, pid i32 @24. */
  @Override
  public int fcntl(int fd, int command, RecordLock lock) {
    structure.fill((byte) 0);
    structure.set(JAVA_SHORT, 0, lock.type);
    try {
      int result = orErrno((int) LibC.FCNTL.invokeExact(errno, fd, command, structure));
      lock.type = structure.get(JAVA_SHORT, 0);
      lock.pid = structure.get(JAVA_INT, 24);
      return result;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int flock(int fd, int operation) {
    try {
      return orErrno((int) LibC.FLOCK.invokeExact(errno, fd, operation));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  /* struct rusage: ru_inblock @72, ru_nvcsw @128. */
  @Override
  public int getrusage(ThreadUsage into) {
    try {
      int result = orErrno((int) LibC.GETRUSAGE.invokeExact(errno, RUSAGE_THREAD, structure));
      into.blocksIn = structure.get(JAVA_LONG, 72);
      into.voluntarySwitches = structure.get(JAVA_LONG, 128);
      return result;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  /* struct statfs: type @0, bsize @8, blocks @16, bfree @24, bavail @32. */
  @Override
  public int fstatfs(int fd, FileSystemStatus into) {
    try {
      int result = orErrno((int) LibC.FSTATFS.invokeExact(errno, fd, structure));
      into.type = structure.get(JAVA_LONG, 0);
      into.blockSize = structure.get(JAVA_LONG, 8);
      into.blocks = structure.get(JAVA_LONG, 16);
      into.availableBlocks = structure.get(JAVA_LONG, 32);
      return result;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int syncfs(int fd) {
    try {
      return orErrno((int) LibC.SYNCFS.invokeExact(errno, fd));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int fdatasync(int fd) {
    try {
      return orErrno((int) LibC.FDATASYNC.invokeExact(errno, fd));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  /* struct file_handle: handle_bytes u32 @0, handle_type i32 @4, f_handle @8. */
  @Override
  public int nameToHandleAt(int directory, byte[] path, FileHandle into, int flags) {
    if (path.length > PATH_MAX) {
      return -Errno.ENAMETOOLONG;
    }
    pass(path, name);
    structure.set(JAVA_INT, 0, FileHandle.MAXIMUM_BYTES);
    try {
      int result =
          orErrno(
              (int)
                  LibC.NAME_TO_HANDLE_AT.invokeExact(
                      errno, directory, name, structure, mountId, flags));
      if (result == 0) {
        into.set(structure.get(JAVA_INT, 4), structure.get(JAVA_INT, 0));
        MemorySegment.copy(structure, JAVA_BYTE, 8, into.bytes, 0, into.length);
      }
      return result;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int openByHandleAt(int mount, FileHandle handle, int flags) {
    structure.set(JAVA_INT, 0, handle.length);
    structure.set(JAVA_INT, 4, handle.type);
    MemorySegment.copy(handle.bytes, 0, structure, JAVA_BYTE, 8, handle.length);
    try {
      return orErrno((int) LibC.OPEN_BY_HANDLE_AT.invokeExact(errno, mount, structure, flags));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int ioctl(int fd, long request, byte[] argument) {
    MemorySegment buffer = block();
    MemorySegment.copy(argument, 0, buffer, JAVA_BYTE, 0, argument.length);
    try {
      int result = orErrno((int) LibC.IOCTL.invokeExact(errno, fd, request, buffer));
      MemorySegment.copy(buffer, JAVA_BYTE, 0, argument, 0, argument.length);
      return result;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public int geteuid() {
    try {
      return (int) LibC.GETEUID.invokeExact(errno);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @Override
  public void close() {
    arena.close();
  }

  private static void pass(byte[] path, MemorySegment into) {
    MemorySegment.copy(path, 0, into, JAVA_BYTE, 0, path.length);
  }

  private MemorySegment block() {
    MemorySegment buffer = block;
    if (buffer == null) {
      buffer = arena.allocate(BLOCK, 8);
      block = buffer;
    }
    return buffer;
  }

  private int orErrno(int result) {
    return result == -1 ? LibC.negated(errno) : result;
  }
}
