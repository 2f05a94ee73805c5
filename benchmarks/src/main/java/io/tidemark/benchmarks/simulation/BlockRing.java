package io.tidemark.benchmarks.simulation;

/** A queue of block numbers with a mark each, which grows as needed. */
final class BlockRing {
  private int[] blocks = new int[1024];
  private long[] marks = new long[1024];
  private int first;
  private int size;

  void add(int block, long mark) {
    if (size == blocks.length) {
      int[] more = new int[2 * size];
      long[] moreMarks = new long[2 * size];
      for (int i = 0; i < size; i++) {
        more[i] = blocks[first + i & size - 1];
        moreMarks[i] = marks[first + i & size - 1];
      }
      blocks = more;
      marks = moreMarks;
      first = 0;
    }
    int at = first + size++ & blocks.length - 1;
    blocks[at] = block;
    marks[at] = mark;
  }

  boolean isEmpty() {
    return size == 0;
  }

  int block() {
    return blocks[first];
  }

  long mark() {
    return marks[first];
  }

  void drop() {
    first = first + 1 & blocks.length - 1;
    size--;
  }
}
