package io.tidemark.index;

/** The layout of a {@code .fidx} file: an image cut into chunks of one size. */
record FixedIndex(long entries, long imageBytes) implements IndexLayout {
  /*
   * Header, little-endian: magic @0, uuid @8, ctime @24, checksum @32, image size u64 @64, chunk
   * size u64 @72. Digest i is at 4096 + 32 i. Both sizes are unsigned and may be anything in a
   * damaged file, so nothing is multiplied: the number of digests is compared, not their bytes.
   */
  static final long MAGIC = 0x2f7f41ed91fd0fcdL;

  private static final int IMAGE_SIZE = 64;
  private static final int CHUNK_SIZE = 72;
  static final int DIGEST_BYTES = 32;

  static FixedIndex of(String path, byte[] header, long fileBytes) {
    IndexLayout.checkMagic(path, header, MAGIC);
    long imageBytes = (long) LITTLE_ENDIAN.get(header, IMAGE_SIZE);
    long chunkBytes = (long) LITTLE_ENDIAN.get(header, CHUNK_SIZE);
    if (Long.bitCount(chunkBytes) != 1) {
      throw new CorruptIndexException(
          path, "bad chunk size", "a power of two", unsigned(chunkBytes), CHUNK_SIZE);
    }
    long entries =
        Long.divideUnsigned(imageBytes, chunkBytes)
            + (Long.remainderUnsigned(imageBytes, chunkBytes) == 0 ? 0 : 1);
    long body = fileBytes - HEADER_BYTES;
    if (body % DIGEST_BYTES != 0 || body / DIGEST_BYTES != entries) {
      throw new CorruptIndexException(
          path,
          "unexpected file size",
          "%s digests of %d bytes after the header (image of %s bytes, chunks of %s)"
              .formatted(
                  unsigned(entries), DIGEST_BYTES, unsigned(imageBytes), unsigned(chunkBytes)),
          "%d bytes, room for %d".formatted(body, body / DIGEST_BYTES),
          fileBytes);
    }
    if (entries == 0) {
      throw new CorruptIndexException(path, "no digest", "at least one", "none", HEADER_BYTES);
    }
    checkSigned(path, "absurd image size", imageBytes, IMAGE_SIZE);
    checkSigned(path, "absurd chunk size", chunkBytes, CHUNK_SIZE);
    return new FixedIndex(entries, imageBytes);
  }

  /* PBS lets such a size pass. No Linux file has 2^63 bytes, so the header must be damaged. */
  private static void checkSigned(String path, String what, long bytes, int offset) {
    if (bytes < 0) {
      throw new CorruptIndexException(path, what, "less than 2^63", unsigned(bytes), offset);
    }
  }

  private static String unsigned(long value) {
    return Long.toUnsignedString(value);
  }

  @Override
  public int entryBytes() {
    return DIGEST_BYTES;
  }

  @Override
  public int digestOffset() {
    return 0;
  }

  @Override
  public long imageBytes(String path, byte[] block, int end) {
    return imageBytes;
  }
}
