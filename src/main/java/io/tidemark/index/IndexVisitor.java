package io.tidemark.index;

import io.tidemark.digest.DigestSink;
import io.tidemark.store.FileIdentity;
import java.util.OptionalLong;

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

  /**
   * Says, before {@link #begin}, whether all digests of the file have been taken earlier.
   *
   * @return the bytes of data that the file stands for; empty when it is to be read
   */
  default OptionalLong known(int owner, FileIdentity identity) {
    return OptionalLong.empty();
  }

  /** Is told that the file was read to its end, and of the bytes of data that it stands for. */
  default void end(int owner, long imageBytes) {}
}
