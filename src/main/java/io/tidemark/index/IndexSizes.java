package io.tidemark.index;

/**
 * How large the index files are that a walk has found.
 *
 * @param files their number
 * @param bytes their sizes together
 * @param references how many digests they have, by their sizes
 */
public record IndexSizes(long files, long bytes, long references) {
  public static final IndexSizes NONE = new IndexSizes(0, 0, 0);

  /* A file that is none of both, or too short, is met when it is read. */
  IndexSizes with(String path, long size) {
    int entryBytes = path.endsWith(".didx") ? DynamicIndex.ENTRY_BYTES : FixedIndex.DIGEST_BYTES;
    long body = Math.max(0, size - IndexLayout.HEADER_BYTES);
    return new IndexSizes(files + 1, bytes + size, references + body / entryBytes);
  }
}
