package io.tidemark.batch;

/** Gives rows in ascending order, one at a time; see {@link Rows}. */
public interface RowStream {
  /** Moves to the next row; false at the end. */
  boolean next();

  /** Returns a word of the current row. */
  long word(int column);

  /** Returns the tag of the current row. */
  int tag();
}
