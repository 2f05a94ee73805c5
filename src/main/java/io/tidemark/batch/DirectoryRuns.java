package io.tidemark.batch;

import java.util.Arrays;

/** Divides a sorted batch by chunk directory. */
public final class DirectoryRuns {
  private final Rows rows;
  private int[] starts = new int[64];
  private int size;

  /**
   * @param rows a sorted batch, which must not change while this is in use
   */
  public DirectoryRuns(Rows rows) {
    this.rows = rows;
    int last = -1;
    for (int row = 0; row < rows.size(); row++) {
      int prefix = (int) (rows.word(row, 0) >>> 48);
      if (prefix != last) {
        if (size == starts.length) {
          starts = Arrays.copyOf(starts, size * 2);
        }
        starts[size++] = row;
        last = prefix;
      }
    }
  }

  /** Returns the number of directories. */
  public int size() {
    return size;
  }

  /** Returns the run of the directory at {@code index}, ascending by prefix. */
  public DirectoryRun get(int index) {
    return new DirectoryRun(
        rows, starts[index], index + 1 < size ? starts[index + 1] : rows.size());
  }
}
