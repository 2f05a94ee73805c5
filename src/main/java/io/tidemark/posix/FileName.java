package io.tidemark.posix;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Converts file names between Java strings and the C strings of the kernel, without loss. */
public final class FileName {
  /*
   * A file name is bytes; most are UTF-8. A byte that is not part of valid UTF-8 becomes the lone
   * surrogate U+DC00 + byte (as Python's "surrogateescape" does), which no valid UTF-8 yields, and
   * turns into the same byte again on the way back. So every file can be opened by the name that
   * a directory gave, whatever the locale.
   */
  private static final int ESCAPE = 0xDC00;

  private FileName() {}

  /** Returns the bytes of {@code name} and a closing zero. */
  public static byte[] encode(String name) {
    byte[] plain = name.getBytes(StandardCharsets.UTF_8);
    if (!hasEscape(name)) {
      byte[] terminated = new byte[plain.length + 1];
      System.arraycopy(plain, 0, terminated, 0, plain.length);
      return terminated;
    }
    ByteBuffer bytes = ByteBuffer.allocate(name.length() * 3 + 1);
    for (int i = 0; i < name.length(); ) {
      int c = name.codePointAt(i);
      if (isEscape(c)) {
        bytes.put((byte) c);
      } else {
        bytes.put(Character.toString(c).getBytes(StandardCharsets.UTF_8));
      }
      i += Character.charCount(c);
    }
    byte[] terminated = new byte[bytes.position() + 1];
    bytes.flip().get(terminated, 0, bytes.limit());
    return terminated;
  }

  /** Returns the name that the first {@code length} bytes spell. */
  public static String decode(byte[] bytes, int length) {
    ByteBuffer in = ByteBuffer.wrap(bytes, 0, length);
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(in)
          .toString();
    } catch (CharacterCodingException e) {
      return decodeEscaping(ByteBuffer.wrap(bytes, 0, length));
    }
  }

  /** Tells whether every byte of {@code name} was part of valid UTF-8. */
  public static boolean isUtf8(String name) {
    return !hasEscape(name);
  }

  private static String decodeEscaping(ByteBuffer in) {
    CharBuffer out = CharBuffer.allocate(in.remaining());
    var decoder = StandardCharsets.UTF_8.newDecoder();
    while (in.hasRemaining()) {
      var result = decoder.decode(in, out, true);
      for (int i = 0; result.isError() && i < result.length(); i++) {
        out.put((char) (ESCAPE + (in.get() & 0xFF)));
      }
    }
    return out.flip().toString();
  }

  private static boolean hasEscape(String name) {
    return name.codePoints().anyMatch(FileName::isEscape);
  }

  private static boolean isEscape(int c) {
    return c >= ESCAPE + 0x80 && c <= ESCAPE + 0xFF;
  }
}
