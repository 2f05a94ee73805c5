package io.tidemark.batch;

/** Gives rows in ascending order, many at a time. */
interface RowSource {
  /**
   * Copies the next rows to the starts of two arrays and returns how many: as many as {@code
   * intoTags} has room for while there are any, and 0 at the end.
   */
  int read(long[] into, int[] intoTags);
}
