package io.tidemark.index;

import io.tidemark.digest.DigestSink;

/** Is told of every index file that is read, and says where its digests go. */
@FunctionalInterface
public interface IndexVisitor {
  /**
   * @param owner a small number that names the file; ascending in the order of reading, and {@link
   *     IndexFiles#path} gives the path back
   * @return what takes the digests, in the file's order
   */
  DigestSink begin(int owner);
}
