package io.tidemark.index;

import io.tidemark.digest.DigestSink;

/** Is told of every index file that is read, and says where its digests go. */
@FunctionalInterface
public interface IndexVisitor {
  /**
   * Returns what takes the digests of one index file, in the file's order.
   *
   * @param owner a small number that names the file; ascending in the order of reading, and {@link
   *     IndexFiles#path} gives the path back
   */
  DigestSink begin(int owner);
}
