package io.tidemark.digest;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Converts digests, four big-endian words of 64 bits, to and from their 64 hexadecimal digits. */
public final class HexDigest {
  /* Eight digits at a time: half a word is spread to one nibble a byte, and all eight become ASCII
   * at once. Reading validates by writing again: only lower-case digits survive the round trip. */
  public static final int LENGTH = 64;

  private static final VarHandle ASCII =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private HexDigest() {}

  /** Writes the digits into {@code into} from {@code at} on. */
  public static void write(byte[] into, int at, long w0, long w1, long w2, long w3) {
    writeWord(into, at, w0);
    writeWord(into, at + 16, w1);
    writeWord(into, at + 32, w2);
    writeWord(into, at + 48, w3);
  }

  /** Returns the digits as a string. */
  public static String format(long w0, long w1, long w2, long w3) {
    byte[] digits = new byte[LENGTH];
    write(digits, 0, w0, w1, w2, w3);
    return new String(digits, StandardCharsets.US_ASCII);
  }

  /** Returns the name of the chunk directory of digests that begin with {@code prefix}. */
  public static String formatPrefix(int prefix) {
    return format((long) prefix << 48, 0, 0, 0).substring(0, 4);
  }

  /** Writes the four digits of a chunk directory. */
  public static void writePrefix(byte[] into, int prefix) {
    long digits = spread(prefix & 0xFFFFL);
    for (int i = 0; i < 4; i++) {
      into[i] = (byte) (digits >>> (24 - 8 * i));
    }
  }

  /** Tells whether eight characters, the first one highest, are lower-case hexadecimal digits. */
  public static boolean isHex(long ascii) {
    return spread(value(ascii)) == ascii;
  }

  /** Returns the 32 bits that eight hexadecimal digits, known to be such, stand for. */
  public static long value(long ascii) {
    long nibbles = (ascii & 0x0F0F0F0F0F0F0F0FL) + ((ascii >>> 6) & 0x0101010101010101L) * 9;
    nibbles = (nibbles | nibbles >>> 4) & 0x00FF00FF00FF00FFL;
    nibbles = (nibbles | nibbles >>> 8) & 0x0000FFFF0000FFFFL;
    return (nibbles | nibbles >>> 16) & 0xFFFFFFFFL;
  }

  private static void writeWord(byte[] into, int at, long word) {
    ASCII.set(into, at, spread(word >>> 32));
    ASCII.set(into, at + 8, spread(word & 0xFFFFFFFFL));
  }

  private static long spread(long half) {
    long nibbles = (half | half << 16) & 0x0000FFFF0000FFFFL;
    nibbles = (nibbles | nibbles << 8) & 0x00FF00FF00FF00FFL;
    nibbles = (nibbles | nibbles << 4) & 0x0F0F0F0F0F0F0F0FL;
    long letters = ((nibbles + 0x0606060606060606L) >>> 4) & 0x0101010101010101L;
    return nibbles + 0x3030303030303030L + letters * 0x27;
  }
}
