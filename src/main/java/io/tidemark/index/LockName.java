package io.tidemark.index;

import io.tidemark.posix.FileName;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** Turns the name of a group into that of its lock file, as PBS does. */
final class LockName {
  /*
   * The escaping is that of systemd's unit names: "/" becomes "-", what is neither a letter, a
   * digit, "_" nor "." becomes \xNN, as does a dot at the start. A result that is too long for a
   * file name keeps its ends, and the SHA-256 of the name as it was.
   */
  private static final int LONGEST = 254;
  private static final int KEPT = 80;

  private LockName() {}

  /** Returns the path of the lock file for {@code name}, below the directory of its namespace. */
  static String of(String name) {
    byte[] terminated = FileName.encode(name);
    byte[] bytes = Arrays.copyOf(terminated, terminated.length - 1);
    String escaped = escape(bytes);
    if (escaped.length() <= LONGEST) {
      return escaped;
    }
    return "hashed/%s...%s-%s"
        .formatted(
            escaped.substring(0, KEPT),
            escaped.substring(escaped.length() - KEPT),
            HexFormat.of().formatHex(sha256(bytes)));
  }

  private static String escape(byte[] bytes) {
    StringBuilder escaped = new StringBuilder(bytes.length + 16);
    for (int i = 0; i < bytes.length; i++) {
      int c = bytes[i] & 0xFF;
      if (c == '/') {
        escaped.append('-');
      } else if (isPlain(c) && !(c == '.' && i == 0)) {
        escaped.append((char) c);
      } else {
        escaped.append("\\x").append(HexFormat.of().toHexDigits((byte) c));
      }
    }
    return escaped.toString();
  }

  private static boolean isPlain(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == '.';
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
