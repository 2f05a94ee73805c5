package io.tidemark.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** The C library's functions as method handles: all of the native code that there is. */
final class LibC {
  /*
   * Each handle captures errno into the segment that is its first argument. A downcall costs what
   * the same call costs from C, within 80 ns. "critical" would save 8 ns and hold up the garbage
   * collector while a disk is busy, so it is not used.
   */
  private static final Linker LINKER = Linker.nativeLinker();
  static final StructLayout ERRNO = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO_VALUE =
      ERRNO.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  static final MethodHandle OPENAT =
      bind("openat", 3, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  static final MethodHandle CLOSE = bind("close", JAVA_INT, JAVA_INT);
  static final MethodHandle PREAD =
      bind("pread", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  static final MethodHandle PWRITE =
      bind("pwrite", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  static final MethodHandle GETDENTS64 =
      bind("getdents64", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  static final MethodHandle STATX =
      bind("statx", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
  static final MethodHandle UTIMENSAT =
      bind("utimensat", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  static final MethodHandle FUTIMENS = bind("futimens", JAVA_INT, JAVA_INT, ADDRESS);
  static final MethodHandle UNLINKAT = bind("unlinkat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  static final MethodHandle RENAMEAT2 =
      bind("renameat2", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
  static final MethodHandle LINKAT =
      bind("linkat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
  static final MethodHandle FTRUNCATE = bind("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
  static final MethodHandle FCHMOD = bind("fchmod", JAVA_INT, JAVA_INT, JAVA_INT);
  static final MethodHandle FCHOWN = bind("fchown", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  static final MethodHandle FCNTL = bind("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  static final MethodHandle FLOCK = bind("flock", JAVA_INT, JAVA_INT, JAVA_INT);
  static final MethodHandle GETRUSAGE = bind("getrusage", JAVA_INT, JAVA_INT, ADDRESS);
  static final MethodHandle FSTATFS = bind("fstatfs", JAVA_INT, JAVA_INT, ADDRESS);
  static final MethodHandle SYNCFS = bind("syncfs", JAVA_INT, JAVA_INT);
  static final MethodHandle FDATASYNC = bind("fdatasync", JAVA_INT, JAVA_INT);
  static final MethodHandle NAME_TO_HANDLE_AT =
      bind("name_to_handle_at", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_INT);
  static final MethodHandle OPEN_BY_HANDLE_AT =
      bind("open_by_handle_at", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  static final MethodHandle IOCTL = bind("ioctl", 2, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
  static final MethodHandle GETEUID = bind("geteuid", JAVA_INT);

  private LibC() {}

  /** Returns the error number that the last call left in {@code errno}, negated. */
  static int negated(MemorySegment errno) {
    return -(int) ERRNO_VALUE.get(errno, 0L);
  }

  private static MethodHandle bind(String name, MemoryLayout result, MemoryLayout... arguments) {
    return bind(name, Linker.Option.captureCallState("errno"), null, result, arguments);
  }

  private static MethodHandle bind(
      String name, int firstVariadic, MemoryLayout result, MemoryLayout... arguments) {
    return bind(
        name,
        Linker.Option.captureCallState("errno"),
        Linker.Option.firstVariadicArg(firstVariadic),
        result,
        arguments);
  }

  @SuppressWarnings("restricted") // the one place that links native functions
  private static MethodHandle bind(
      String name,
      Linker.Option capture,
      Linker.@org.jspecify.annotations.Nullable Option variadic,
      MemoryLayout result,
      MemoryLayout... arguments) {
    MemorySegment symbol =
        LINKER
            .defaultLookup()
            .find(name)
            .orElseThrow(
                () ->
                    new UnsupportedOperationException(
                        "the C library has no function "
                            + name
                            + ": glibc 2.30 or newer is needed"));
    FunctionDescriptor descriptor = FunctionDescriptor.of(result, arguments);
    return variadic == null
        ? LINKER.downcallHandle(symbol, descriptor, capture)
        : LINKER.downcallHandle(symbol, descriptor, capture, variadic);
  }
}
