package io.tidemark.batch;

/** Reads rows that were sorted in memory, either way. */
final class SortedRows implements RowStream, RowSource {
  private final Rows rows;
  private final int size;
  private int row = -1;

  SortedRows(Rows rows) {
    this.rows = rows;
    this.size = rows.size();
  }

  @Override
  public boolean next() {
    if (row + 1 >= size) {
      return false;
    }
    row++;
    return true;
  }

  @Override
  public long word(int column) {
    return rows.word(row, column);
  }

  @Override
  public int tag() {
    return rows.tag(row);
  }

  @Override
  public int read(long[] into, int[] intoTags) {
    int from = row + 1;
    int count = Math.min(intoTags.length, size - from);
    rows.copy(from, from + count, into, intoTags);
    row += count;
    return count;
  }
}
