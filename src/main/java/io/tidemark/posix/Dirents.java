package io.tidemark.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** A buffer of directory entries as {@code getdents64} fills it, and a cursor over them. */
public final class Dirents implements AutoCloseable {
  /*
   * struct linux_dirent64: inode u64 @0, offset i64 @8, record length u16 @16, type u8 @18, name
   * @19, zero-terminated. On ZFS only the entries of a directory's first call are prefetched, so
   * the buffer should hold a whole directory: 1 MiB does for 11,000 names of 64 characters.
   */
  public static final int DEFAULT_BYTES = 1 << 20;
  public static final int LARGE_BYTES = 4 << 20;

  public static final int DT_UNKNOWN = 0;
  public static final int DT_DIR = 4;
  public static final int DT_REG = 8;
  public static final int DT_LNK = 10;

  private static final int NAME = 19;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfLong NAME_WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

  private final Arena arena = Arena.ofConfined();
  final MemorySegment segment;
  private int limit;
  private int at;
  private int next;

  public Dirents(int bytes) {
    segment = arena.allocate(bytes, 8);
  }

  /** Returns the buffer's size in bytes. */
  public int capacity() {
    return (int) segment.byteSize();
  }

  void filled(int bytes) {
    limit = bytes;
    at = 0;
    next = 0;
  }

  /** Moves to the next entry of the last call; false when there is none. */
  public boolean next() {
    if (next >= limit) {
      return false;
    }
    at = next;
    next = at + (segment.get(SHORT, at + 16L) & 0xFFFF);
    return true;
  }

  public long inode() {
    return segment.get(LONG, at);
  }

  /** Returns one of the {@code DT_} constants. */
  public int type() {
    return segment.get(ValueLayout.JAVA_BYTE, at + 18L);
  }

  /** Returns the length of the name in bytes. */
  public int nameLength() {
    // The record is padded to eight bytes: the terminator is the first zero among the last eight,
    // and what follows it is left over from an earlier call.
    int end = Math.max(at + NAME, next - 8);
    while (segment.get(ValueLayout.JAVA_BYTE, end) != 0) {
      end++;
    }
    return end - at - NAME;
  }

  /** Returns the name's byte at {@code index}. */
  public byte nameByte(int index) {
    return segment.get(ValueLayout.JAVA_BYTE, at + NAME + (long) index);
  }

  /** Returns the eight bytes of the name from {@code index} on, the first one highest. */
  public long nameWord(int index) {
    return segment.get(NAME_WORD, at + NAME + (long) index);
  }

  /** Tells whether the name is {@code .} or {@code ..}. */
  public boolean isDot() {
    int length = nameLength();
    return nameByte(0) == '.' && (length == 1 || (length == 2 && nameByte(1) == '.'));
  }

  /** Returns the name as a string; see {@link FileName}. */
  public String name() {
    byte[] bytes = new byte[nameLength()];
    MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at + NAME, bytes, 0, bytes.length);
    return FileName.decode(bytes, bytes.length);
  }

  @Override
  public void close() {
    arena.close();
  }
}
