package io.tidemark.index;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/** Writes index files as PBS does, valid ones and the parts to make invalid ones of. */
public final class IndexWriter {
  /*
   * The uuid is zero and the time is 1,700,000,000, so that the same digests give the same bytes.
   */
  public static final long FIXED_MAGIC = 0x2f7f41ed91fd0fcdL;
  public static final long DYNAMIC_MAGIC = 0x1c914ea519bab3cdL;
  public static final int HEADER_BYTES = 4096;
  public static final long CHUNK_BYTES = 4 << 20;

  private static final long CREATED = 1_700_000_000;

  private IndexWriter() {}

  /** Returns a digest that only this number has. */
  public static byte[] digest(int number) {
    return sha256(("chunk " + number).getBytes(US_ASCII));
  }

  /** Writes a fixed index over whole chunks of {@code chunkBytes}, and its directories. */
  public static void fixed(Path path, List<byte[]> digests, long chunkBytes) {
    byte[] body = concatenated(digests);
    raw(path, fixedHeader(digests.size() * chunkBytes, chunkBytes, sha256(body)), body);
  }

  /** Writes a dynamic index whose chunk {@code i}, from 0, has {@code 1000 + i} bytes. */
  public static void dynamic(Path path, List<byte[]> digests) {
    ByteBuffer body = ByteBuffer.allocate(digests.size() * 40).order(ByteOrder.LITTLE_ENDIAN);
    long end = 0;
    for (int i = 0; i < digests.size(); i++) {
      end += 1000 + i;
      body.putLong(end).put(digests.get(i));
    }
    raw(path, dynamicHeader(sha256(body.array())), body.array());
  }

  /** Returns the header of a fixed index with these fields, sensible or not. */
  public static byte[] fixedHeader(long imageBytes, long chunkBytes, byte[] checksum) {
    return header(FIXED_MAGIC, checksum).putLong(64, imageBytes).putLong(72, chunkBytes).array();
  }

  /** Returns the header of a dynamic index. */
  public static byte[] dynamicHeader(byte[] checksum) {
    return header(DYNAMIC_MAGIC, checksum).array();
  }

  /** Writes the parts, one after the other, and the directories above the file. */
  public static void raw(Path path, byte[]... parts) {
    try {
      Files.createDirectories(path.getParent());
      try (var out = Files.newOutputStream(path)) {
        for (byte[] part : parts) {
          out.write(part);
        }
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static ByteBuffer header(long magic, byte[] checksum) {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    header.putLong(0, magic);
    header.order(ByteOrder.LITTLE_ENDIAN).putLong(24, CREATED);
    return header.put(32, checksum);
  }

  private static byte[] concatenated(List<byte[]> digests) {
    ByteBuffer all = ByteBuffer.allocate(digests.size() * 32);
    digests.forEach(all::put);
    return all.array();
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
