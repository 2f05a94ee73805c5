package io.tidemark.batch;

import java.util.List;

/** Merges ascending sources into one ascending stream, without the duplicates. */
final class Merge implements RowStream, RowSource {
  /*
   * A tree of losers: leaf s stands for source s, an inner node holds the source that lost there,
   * and losers[0] the one that won them all, whose row is the next. When that source moves on, only
   * its own path to the root is played again: six comparisons a row with 64 sources, nearly all of
   * them decided by the first word, which lies in one small array. A source at its end leaves the
   * tree, which is then built anew, so that no comparison has to ask whether there is a row.
   *
   * Equal rows come in the order of their tags, so the first of them is the one to keep.
   */
  private final int stride;
  private final int uniqueColumns;
  private final RowSource[] sources;
  private final long[][] words;
  private final int[][] tags;
  private final int[] row;
  private final int[] size;
  private final long[] first;
  private final int[] losers;
  private int live;

  private final long[] current;
  private int currentTag;
  private boolean started;

  /**
   * @param stride words a row
   * @param uniqueColumns rows that are equal in so many leading columns are duplicates; 0 for none
   * @param blockRows how many rows of each source to hold in memory
   */
  Merge(int stride, int uniqueColumns, int blockRows, List<? extends RowSource> from) {
    this.stride = stride;
    this.uniqueColumns = uniqueColumns;
    int count = from.size();
    sources = from.toArray(new RowSource[0]);
    words = new long[count][blockRows * stride];
    tags = new int[count][blockRows];
    row = new int[count];
    size = new int[count];
    first = new long[count];
    losers = new int[Math.max(1, count)];
    current = new long[stride];
    live = count;
    for (int s = count - 1; s >= 0; s--) {
      if (!fill(s)) {
        drop(s);
      }
    }
    build();
  }

  @Override
  public boolean next() {
    while (live > 0) {
      int winner = losers[0];
      boolean isNew = !started || uniqueColumns == 0 || differsFromCurrent(winner);
      if (isNew) {
        take(winner);
      }
      advance(winner);
      if (isNew) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long word(int column) {
    return current[column];
  }

  @Override
  public int tag() {
    return currentTag;
  }

  @Override
  public int read(long[] into, int[] intoTags) {
    int count = 0;
    while (count < intoTags.length && next()) {
      System.arraycopy(current, 0, into, count * stride, stride);
      intoTags[count++] = currentTag;
    }
    return count;
  }

  private boolean differsFromCurrent(int s) {
    int at = row[s] * stride;
    for (int c = 0; c < uniqueColumns; c++) {
      if (words[s][at + c] != current[c]) {
        return true;
      }
    }
    return false;
  }

  private void take(int s) {
    System.arraycopy(words[s], row[s] * stride, current, 0, stride);
    currentTag = tags[s][row[s]];
    started = true;
  }

  private void advance(int s) {
    row[s]++;
    if (row[s] < size[s]) {
      first[s] = signed(words[s][row[s] * stride]);
      play(s);
    } else if (fill(s)) {
      play(s);
    } else {
      drop(s);
      build();
    }
  }

  private boolean fill(int s) {
    row[s] = 0;
    size[s] = sources[s].read(words[s], tags[s]);
    first[s] = signed(words[s][0]);
    return size[s] > 0;
  }

  /* Puts the last source into the place of one that has ended. */
  private void drop(int s) {
    live--;
    sources[s] = sources[live];
    words[s] = words[live];
    tags[s] = tags[live];
    row[s] = row[live];
    size[s] = size[live];
    first[s] = first[live];
    words[live] = new long[0];
    tags[live] = new int[0];
  }

  private void build() {
    int[] winners = new int[2 * live];
    for (int s = 0; s < live; s++) {
      winners[live + s] = s;
    }
    for (int node = live - 1; node > 0; node--) {
      int left = winners[2 * node];
      int right = winners[2 * node + 1];
      boolean leftWins = isLess(left, right);
      winners[node] = leftWins ? left : right;
      losers[node] = leftWins ? right : left;
    }
    losers[0] = live > 1 ? winners[1] : 0;
  }

  private void play(int s) {
    int winner = s;
    for (int node = (s + live) >>> 1; node > 0; node >>>= 1) {
      int other = losers[node];
      if (isLess(other, winner)) {
        losers[node] = winner;
        winner = other;
      }
    }
    losers[0] = winner;
  }

  private boolean isLess(int s, int other) {
    return first[s] != first[other] ? first[s] < first[other] : isLessBeyondFirst(s, other);
  }

  private boolean isLessBeyondFirst(int s, int other) {
    int a = row[s] * stride;
    int b = row[other] * stride;
    for (int c = 1; c < stride; c++) {
      int order = Long.compareUnsigned(words[s][a + c], words[other][b + c]);
      if (order != 0) {
        return order < 0;
      }
    }
    return tags[s][row[s]] < tags[other][row[other]];
  }

  /* Turns the order of unsigned words into that of signed ones, which one instruction compares. */
  private static long signed(long word) {
    return word ^ Long.MIN_VALUE;
  }
}
