package io.tidemark.benchmarks.simulation;

/** The blocks in memory, on two lists as the kernel keeps pages of files. */
final class BlockLists {
  /*
   * A block that is read goes to the front of the inactive list; its next use moves it to the front
   * of the active one. Uses of an active block only mark it. When fewer blocks are inactive than
   * active, the active one that came first turns inactive, and keeps its mark: if it has one, its
   * next use moves it back. The inactive block that came first goes first. A block that is read
   * again turns active at once when fewer blocks than are active have gone or turned active
   * meanwhile: it would still be here, had the active ones not been kept.
   */
  private static final byte MARKED = 1;

  private final Lru inactive;
  private final Lru active;
  private final byte[] marks;
  private final int[] goneAt;
  private int clock = 1;

  BlockLists(int blocks) {
    inactive = new Lru(blocks);
    active = new Lru(blocks);
    marks = new byte[blocks];
    goneAt = new int[blocks];
  }

  int size() {
    return inactive.size() + active.size();
  }

  int inactiveSize() {
    return inactive.size();
  }

  /** Uses a block and tells whether it was there; it is now. */
  boolean use(int block) {
    if (active.contains(block)) {
      marks[block] = MARKED;
      return true;
    }
    if (inactive.contains(block)) {
      if (marks[block] == MARKED) {
        activate(block);
      } else {
        marks[block] = MARKED;
      }
      return true;
    }
    if (goneAt[block] != 0 && clock - goneAt[block] <= active.size()) {
      activate(block);
    } else {
      inactive.use(block);
      marks[block] = MARKED;
    }
    return false;
  }

  private void activate(int block) {
    inactive.remove(block);
    active.use(block);
    marks[block] = 0;
    clock++;
  }

  /** Returns the block to go next. */
  int oldest() {
    while (active.size() > inactive.size()) {
      int block = active.oldest();
      active.remove(block);
      inactive.use(block);
    }
    return inactive.oldest();
  }

  /** Keeps the block that was to go next, since it is not written yet. */
  void keep(int block) {
    activate(block);
  }

  void remove(int block) {
    inactive.remove(block);
    goneAt[block] = clock++;
  }
}
