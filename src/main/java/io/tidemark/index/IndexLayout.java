package io.tidemark.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Tells where the digests of one index file are; made only from a header that passed the checks.
 */
sealed interface IndexLayout permits FixedIndex, DynamicIndex {
  int HEADER_BYTES = 4096;

  VarHandle BIG_ENDIAN = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  VarHandle LITTLE_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Returns the number of digests, at least one. */
  long entries();

  /** Returns the bytes from one digest to the next. */
  int entryBytes();

  /** Returns where in an entry its digest begins. */
  int digestOffset();

  /**
   * Returns the bytes of data that the index stands for.
   *
   * @param end the file's last entry is the {@link #entryBytes} of {@code block} before this index
   */
  long imageBytes(String path, byte[] block, int end);

  /** Tells whether the extension is one of the two, which is all that makes a file an index. */
  static boolean names(String path) {
    return isFixed(path) || isDynamic(path);
  }

  private static boolean isFixed(String path) {
    return path.endsWith(".fidx");
  }

  private static boolean isDynamic(String path) {
    return path.endsWith(".didx");
  }

  /** Refuses what has no room for a header; the header can be read after this. */
  static void checkSize(String path, long fileBytes) {
    if (fileBytes < HEADER_BYTES) {
      throw new CorruptIndexException(
          path,
          "file is too small",
          "a header of " + HEADER_BYTES + " bytes",
          fileBytes + (fileBytes == 1 ? " byte" : " bytes"),
          fileBytes);
    }
  }

  /**
   * Checks a header as far as PBS does, in its order.
   *
   * @throws CorruptIndexException at the first thing that is wrong
   */
  static IndexLayout of(String path, byte[] header, long fileBytes) {
    if (isFixed(path)) {
      return FixedIndex.of(path, header, fileBytes);
    }
    if (isDynamic(path)) {
      return DynamicIndex.of(path, header, fileBytes);
    }
    throw new CorruptIndexException(path, "unknown kind", "a name in .fidx or .didx", "another", 0);
  }

  static void checkMagic(String path, byte[] header, long expected) {
    long found = (long) BIG_ENDIAN.get(header, 0);
    if (found != expected) {
      throw new CorruptIndexException(
          path, "wrong magic number", describeMagic(expected), describeMagic(found), 0);
    }
  }

  private static String describeMagic(long magic) {
    String kind =
        magic == FixedIndex.MAGIC
            ? " (fixed index)"
            : magic == DynamicIndex.MAGIC ? " (dynamic index)" : "";
    return "%016x%s".formatted(magic, kind);
  }
}
