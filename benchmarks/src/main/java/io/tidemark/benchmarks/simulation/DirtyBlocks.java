package io.tidemark.benchmarks.simulation;

/** The changed blocks, and what it takes to write them in ascending order. */
final class DirtyBlocks {
  private final long[] words;
  private final Layout layout;
  private final int mostBytes;
  private int count;
  private int last = -2;
  private int run;
  private long requests;
  private long bytes;

  /**
   * @param mostBytes that one request writes
   */
  DirtyBlocks(Layout layout, int mostBytes) {
    this.layout = layout;
    this.mostBytes = mostBytes;
    words = new long[(layout.blocks >>> 6) + 1];
  }

  /** A choice among blocks. */
  interface Choice {
    boolean test(int block);
  }

  int count() {
    return count;
  }

  boolean contains(int block) {
    return (words[block >>> 6] & 1L << block) != 0;
  }

  void add(int block) {
    if (!contains(block)) {
      words[block >>> 6] |= 1L << block;
      count++;
    }
  }

  /** Writes a block; it joins the request of the one written before when it lies just behind it. */
  void write(int block) {
    words[block >>> 6] &= ~(1L << block);
    count--;
    int size = layout.blockBytes(block);
    // Blocks of inodes that follow each other are neighbours, those of directories are not.
    boolean joins = block == last + 1 && layout.isInode(block) && run + size <= mostBytes;
    run = joins ? run + size : size;
    requests += joins ? 0 : 1;
    bytes += size;
    last = block;
  }

  /** Ends the request of the block written last. */
  void endRequest() {
    last = -2;
  }

  /** Writes all blocks of a choice, in ascending order. */
  void writeAll(Choice choice) {
    endRequest();
    for (int word = 0; word < words.length && count > 0; word++) {
      for (long rest = words[word]; rest != 0; rest &= rest - 1) {
        int block = word << 6 | Long.numberOfTrailingZeros(rest);
        if (choice.test(block)) {
          write(block);
        }
      }
    }
    endRequest();
  }

  void addRequests(long more, long moreBytes) {
    requests += more;
    bytes += moreBytes;
  }

  long requests() {
    return requests;
  }

  long bytes() {
    return bytes;
  }
}
