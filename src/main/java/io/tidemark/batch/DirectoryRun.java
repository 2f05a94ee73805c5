package io.tidemark.batch;

/**
 * The part of a sorted batch that lies in one chunk directory.
 *
 * @param rows the batch, of digests with their index files as tags
 * @param from the first row
 * @param to the row behind the last one
 */
public record DirectoryRun(Rows rows, int from, int to) {
  /** Returns the first two bytes of the digests. */
  public int prefix() {
    return (int) (rows.word(from, 0) >>> 48);
  }

  public int size() {
    return to - from;
  }
}
