package io.tidemark.index;

/** The layout of a {@code .didx} file: a stream cut into chunks where its content says. */
record DynamicIndex(long entries) implements IndexLayout {
  /*
   * Header as that of a fixed index, but without sizes. Entry i is at 4096 + 40 i: the offset in
   * the stream at which the chunk ends, u64 little-endian, then the digest.
   */
  static final long MAGIC = 0x1c914ea519bab3cdL;

  static final int ENTRY_BYTES = 40;
  private static final int DIGEST_OFFSET = 8;

  static DynamicIndex of(String path, byte[] header, long fileBytes) {
    IndexLayout.checkMagic(path, header, MAGIC);
    long body = fileBytes - HEADER_BYTES;
    if (body % ENTRY_BYTES != 0) {
      throw new CorruptIndexException(
          path,
          "unexpected file size",
          "entries of " + ENTRY_BYTES + " bytes after the header",
          "%d bytes, %d more than whole entries".formatted(body, body % ENTRY_BYTES),
          fileBytes);
    }
    if (body == 0) {
      throw new CorruptIndexException(path, "no entry", "at least one", "none", HEADER_BYTES);
    }
    return new DynamicIndex(body / ENTRY_BYTES);
  }

  @Override
  public int entryBytes() {
    return ENTRY_BYTES;
  }

  @Override
  public int digestOffset() {
    return DIGEST_OFFSET;
  }

  @Override
  public long imageBytes(String path, byte[] block, int end) {
    long bytes = (long) LITTLE_ENDIAN.get(block, end - ENTRY_BYTES);
    if (bytes < 0) {
      throw new CorruptIndexException(
          path,
          "absurd end offset",
          "less than 2^63",
          Long.toUnsignedString(bytes),
          HEADER_BYTES + (entries - 1) * ENTRY_BYTES);
    }
    return bytes;
  }
}
