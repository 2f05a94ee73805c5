package io.tidemark.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/** The chunk of 4 MiB of zeros, which the server, too, uses to try out access times. */
final class ZeroChunk {
  static final String DIRECTORY = "bb9f";
  static final String NAME = "bb9f8df61474d25e71fa00722318cd387396ca1736605e1248821cc0de3d3af8";

  /*
   * A compressed blob, all integers little-endian: magic 8, CRC-32 of what follows 4, then one
   * Zstandard frame (RFC 8878): magic 4, a descriptor that says "single segment, content size in
   * 4 bytes, no checksum, no dictionary", the content size 4, and blocks. A block's header has 3
   * bytes: bit 0 "last", bits 1 and 2 the type, 1 for run length, and the size from bit 3 on; a
   * run length block is one byte that stands for "size" of it. 128 KiB is the largest block, so 32
   * of them, 4 bytes each, make the chunk: 149 bytes in all, and no compressor is needed.
   */
  private static final long BLOB_MAGIC = 0x7FA3B66F4258B931L;
  private static final int FRAME_MAGIC = 0xFD2FB528;
  private static final byte SINGLE_SEGMENT_SIZE_IN_4_BYTES = (byte) 0xA0;
  private static final int CONTENT_BYTES = 4 << 20;
  private static final int BLOCK_BYTES = 128 << 10;
  private static final int BLOCKS = CONTENT_BYTES / BLOCK_BYTES;
  private static final int BLOB_HEADER_BYTES = 12;
  private static final int FRAME_HEADER_BYTES = 9;
  private static final int RUN_LENGTH = 1;

  private ZeroChunk() {}

  /** Returns the bytes of the chunk's file. */
  static byte[] blob() {
    ByteBuffer blob =
        ByteBuffer.allocate(BLOB_HEADER_BYTES + FRAME_HEADER_BYTES + BLOCKS * Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(BLOB_MAGIC)
            .putInt(0)
            .putInt(FRAME_MAGIC)
            .put(SINGLE_SEGMENT_SIZE_IN_4_BYTES)
            .putInt(CONTENT_BYTES);
    for (int i = 1; i <= BLOCKS; i++) {
      int last = i == BLOCKS ? 1 : 0;
      blob.putInt(last | (RUN_LENGTH << 1) | (BLOCK_BYTES << 3)); // the highest byte is the zero
    }
    CRC32 crc = new CRC32();
    crc.update(blob.array(), BLOB_HEADER_BYTES, blob.capacity() - BLOB_HEADER_BYTES);
    blob.putInt(Long.BYTES, (int) crc.getValue());
    return blob.array();
  }
}
