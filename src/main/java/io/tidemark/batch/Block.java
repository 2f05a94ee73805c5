package io.tidemark.batch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** The unit in which a run is written and read: up to 1 MiB of rows, with a checksum. */
final class Block {
  /*
   * magic u64 @0 | offset in the file u64 @8 | stride u32 @16 | rows u32 @20 | reserved u32 @24 |
   * CRC32C u32 @28, of all bytes but these four | the words, row by row | the tags
   *
   * In the byte order of the machine, which nothing leaves. Words and tags lie apart, so that each
   * is one bulk copy. 1 MiB is what one system call takes: 29,126 references or 23,830 entries to
   * touch. The offset tells a block that a broken device returned for another one.
   */
  static final int MAXIMUM_BYTES = 1 << 20;
  private static final int HEADER = 32;
  private static final int CRC = 28;
  private static final long MAGIC = 0x5449_4445_5350_4C31L;

  private final int stride;
  private final int rows;
  private final byte[] bytes;
  private final ByteBuffer buffer;
  private final CRC32C crc = new CRC32C();

  /**
   * @param stride words a row
   * @param rows how many rows a full block has
   */
  Block(int stride, int rows) {
    this.stride = stride;
    this.rows = rows;
    this.bytes = new byte[bytes(rows)];
    this.buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  /** Returns how many rows of {@code stride} words fit into a block. */
  static int maximumRows(int stride) {
    return (int) ((MAXIMUM_BYTES - HEADER) / Rows.bytes(stride, 1));
  }

  int stride() {
    return stride;
  }

  /** Returns how many rows a full block has. */
  int rows() {
    return rows;
  }

  /** Returns how many bytes a block of {@code count} rows has. */
  int bytes(int count) {
    return HEADER + (int) Rows.bytes(stride, count);
  }

  /** Writes the first {@code count} rows of two arrays to {@code offset}. */
  void write(long[] words, int[] tags, int count, SpillFile file, long offset) {
    buffer.putLong(0, MAGIC).putLong(8, offset).putInt(16, stride).putInt(20, count).putInt(24, 0);
    buffer.asLongBuffer().put(HEADER / 8, words, 0, count * stride);
    buffer.slice(tagsAt(count), 4 * count).order(buffer.order()).asIntBuffer().put(tags, 0, count);
    buffer.putInt(CRC, checksum(count));
    file.write(bytes, bytes(count), offset);
  }

  /**
   * Reads {@code count} rows from {@code offset} to the starts of two arrays.
   *
   * @throws io.tidemark.store.RefusedException when they are not what was written there
   */
  void read(long[] words, int[] tags, int count, SpillFile file, long offset) {
    file.read(bytes, bytes(count), offset);
    if (buffer.getLong(0) != MAGIC
        || buffer.getLong(8) != offset
        || buffer.getInt(16) != stride
        || buffer.getInt(20) != count) {
      throw file.damaged("not the header that was written", offset);
    }
    if (buffer.getInt(CRC) != checksum(count)) {
      throw file.damaged("wrong checksum", offset);
    }
    buffer.asLongBuffer().get(HEADER / 8, words, 0, count * stride);
    buffer.slice(tagsAt(count), 4 * count).order(buffer.order()).asIntBuffer().get(tags, 0, count);
  }

  private int tagsAt(int count) {
    return HEADER + 8 * stride * count;
  }

  private int checksum(int count) {
    crc.reset();
    crc.update(bytes, 0, CRC);
    crc.update(bytes, HEADER, bytes(count) - HEADER);
    return (int) crc.getValue();
  }
}
