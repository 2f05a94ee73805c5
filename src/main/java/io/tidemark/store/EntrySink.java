package io.tidemark.store;

/** Takes the entries of a chunk directory that belong to chunks. */
@FunctionalInterface
public interface EntrySink {
  /**
   * Takes one entry.
   *
   * @param w0 the first of the digest's four words
   * @param inode the inode number, as the listing gave it
   * @param kind one of {@link EntryKind}, never {@code FOREIGN}
   */
  void entry(long w0, long w1, long w2, long w3, long inode, int kind);
}
