package io.tidemark.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** One gzip member of a removal log: some lines, complete in itself. */
final class Member {
  /*
   * A file of gzip members is a gzip file, so zcat and zgrep read it. Each member says in an extra
   * field, "TM", how long it is, so that a reader sees where one was cut off and finds the next by
   * the 16 bytes with which each begins.
   */
  static final byte[] SIGNATURE = {
    0x1f, (byte) 0x8b, 8, 4, 0, 0, 0, 0, 0, (byte) 255, 8, 0, 'T', 'M', 4, 0
  };

  static final int HEADER = SIGNATURE.length + 4;
  static final int LARGEST = 1 << 24;

  private static final int TRAILER = 8;

  private Member() {}

  static byte[] pack(String lines) {
    byte[] plain = lines.getBytes(StandardCharsets.UTF_8);
    CRC32 crc = new CRC32();
    crc.update(plain);
    byte[] packed = new byte[HEADER + plain.length + plain.length / 1000 + 64 + TRAILER];
    int length;
    try (Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
      deflater.setInput(plain);
      deflater.finish();
      length = deflater.deflate(packed, HEADER, packed.length - HEADER - TRAILER);
    }
    ByteBuffer buffer = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
    buffer.put(SIGNATURE).putInt(HEADER + length + TRAILER);
    buffer.position(HEADER + length);
    buffer.putInt((int) crc.getValue()).putInt(plain.length);
    return Arrays.copyOf(packed, HEADER + length + TRAILER);
  }

  /** Returns the length of the member that begins with {@code header}; 0 when none does. */
  static int length(byte[] header) {
    for (int i = 0; i < SIGNATURE.length; i++) {
      if (header[i] != SIGNATURE[i]) {
        return 0;
      }
    }
    int length = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt(SIGNATURE.length);
    return length > HEADER + TRAILER && length <= LARGEST ? length : 0;
  }

  /** Returns the lines of a whole member; empty when it is damaged. */
  static Optional<String> unpack(byte[] member) {
    ByteBuffer buffer = ByteBuffer.wrap(member).order(ByteOrder.LITTLE_ENDIAN);
    int crc = buffer.getInt(member.length - TRAILER);
    int length = buffer.getInt(member.length - 4);
    if (length < 0 || length > LARGEST) {
      return Optional.empty();
    }
    byte[] plain = new byte[length];
    try (Inflater inflater = new Inflater(true)) {
      inflater.setInput(member, HEADER, member.length - HEADER - TRAILER);
      int at = 0;
      int more = 1;
      while (at < length && more > 0) {
        more = inflater.inflate(plain, at, length - at);
        at += more;
      }
      CRC32 actual = new CRC32();
      actual.update(plain);
      return at == length && (int) actual.getValue() == crc
          ? Optional.of(new String(plain, StandardCharsets.UTF_8))
          : Optional.empty();
    } catch (DataFormatException e) {
      return Optional.empty();
    }
  }
}
