package io.tidemark.benchmarks.simulation;

import java.util.Arrays;

/** Items 0 to n-1 in the order of their last use. */
final class Lru {
  /*
   * Two int arrays linked by index, the item n closing the ring: older[n] is the newest item and
   * newer[n] the oldest. An item that is not in the list has newer = ABSENT. No allocation for a
   * use, 8 bytes an item, whether it is in the list or not.
   */
  private static final int ABSENT = -1;

  private final int[] newer;
  private final int[] older;
  private final int end;
  private int size;

  Lru(int items) {
    newer = new int[items + 1];
    older = new int[items + 1];
    end = items;
    Arrays.fill(newer, ABSENT);
    newer[end] = end;
    older[end] = end;
  }

  int size() {
    return size;
  }

  boolean contains(int item) {
    return newer[item] != ABSENT;
  }

  /** Makes an item the newest and tells whether it was in the list. */
  boolean use(int item) {
    boolean present = newer[item] != ABSENT;
    if (present) {
      newer[older[item]] = newer[item];
      older[newer[item]] = older[item];
    } else {
      size++;
    }
    int newest = older[end];
    older[item] = newest;
    newer[item] = end;
    newer[newest] = item;
    older[end] = item;
    return present;
  }

  /** Returns the item whose last use is the longest ago; the list must not be empty. */
  int oldest() {
    return newer[end];
  }

  void remove(int item) {
    if (newer[item] == ABSENT) {
      return;
    }
    newer[older[item]] = newer[item];
    older[newer[item]] = older[item];
    newer[item] = ABSENT;
    size--;
  }
}
