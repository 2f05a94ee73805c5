package io.tidemark.digest;

import java.util.Arrays;

/** Remembers the digests used last, up to a capacity, and tells which were seen again. */
public final class RecentDigests {
  /*
   * A strict least-recently-used set, as PBS keeps one, so that hits and misses are the same
   * numbers. Flat: entry e has its digest at digests[4e], its neighbours in order of use in
   * newer[e] and older[e], and stands in an open-addressing table of at most half load. Digests
   * are uniform, so a middle word is the hash. With the words, links and table an entry takes 56
   * bytes at most. Memory grows with the entries in use. Used by one thread.
   */
  private static final int NONE = -1;
  private static final int FIRST = 1024;

  private final int capacity;
  private long[] digests;
  private int[] newer;
  private int[] older;
  private int[] table;
  private int mask;
  private int size;
  private int newest = NONE;
  private int oldest = NONE;
  private final int[] coming = new int[DigestSink.GROUP];
  private final int[] comingNewer = new int[DigestSink.GROUP];
  private final int[] comingOlder = new int[DigestSink.GROUP];

  @SuppressWarnings("UnusedVariable") // without it the compiler would leave out the loads
  private long loaded;

  private long hits;
  private long misses;

  /**
   * @param capacity the most digests kept; 0 turns the cache off, and nothing is counted
   */
  public RecentDigests(int capacity) {
    this.capacity = capacity;
    int first = Math.min(capacity, FIRST);
    digests = new long[first * 4];
    newer = new int[first];
    older = new int[first];
    newTable(first);
  }

  /**
   * Loads what the look-ups of digests to come will need, all at the same time: one after the other
   * each of them would wait for memory some five times.
   *
   * @param secondWords their words 1
   * @param count how many, at most {@link DigestSink#GROUP}
   */
  public void prepare(long[] secondWords, int count) {
    if (capacity == 0) {
      return;
    }
    for (int i = 0; i < count; i++) {
      coming[i] = Math.max(0, table[(int) secondWords[i] & mask]);
    }
    long sum = 0;
    for (int i = 0; i < count; i++) {
      int entry = coming[i];
      sum += digests[entry * 4];
      comingNewer[i] = Math.max(0, newer[entry]);
      comingOlder[i] = Math.max(0, older[entry]);
    }
    for (int i = 0; i < count; i++) {
      sum += older[comingNewer[i]] + newer[comingOlder[i]];
    }
    loaded = sum;
  }

  /** Notes the use of a digest; returns true when it was among the recent ones already. */
  public boolean seen(long w0, long w1, long w2, long w3) {
    if (capacity == 0) {
      return false;
    }
    int slot = (int) w1 & mask;
    for (int entry = table[slot]; entry != NONE; entry = table[slot]) {
      int at = entry * 4;
      if (digests[at + 1] == w1
          && digests[at] == w0
          && digests[at + 2] == w2
          && digests[at + 3] == w3) {
        hits++;
        moveToFront(entry);
        return true;
      }
      slot = (slot + 1) & mask;
    }
    misses++;
    insert(w0, w1, w2, w3);
    return false;
  }

  public long hits() {
    return hits;
  }

  public long misses() {
    return misses;
  }

  private void insert(long w0, long w1, long w2, long w3) {
    int entry;
    if (size == capacity) {
      entry = oldest;
      removeFromTable(entry);
      unlink(entry);
    } else {
      entry = size++;
      if (entry == newer.length) {
        grow();
      }
    }
    int at = entry * 4;
    digests[at] = w0;
    digests[at + 1] = w1;
    digests[at + 2] = w2;
    digests[at + 3] = w3;
    putInTable(entry);
    linkFirst(entry);
  }

  private void grow() {
    int length = (int) Math.min(capacity, newer.length * 2L);
    digests = Arrays.copyOf(digests, length * 4);
    newer = Arrays.copyOf(newer, length);
    older = Arrays.copyOf(older, length);
    newTable(length);
    for (int entry = 0; entry < size - 1; entry++) {
      putInTable(entry);
    }
  }

  private void newTable(int entries) {
    int slots = Integer.highestOneBit(Math.max(1, entries)) * 2;
    table = new int[slots < entries * 2 ? slots * 2 : slots];
    mask = table.length - 1;
    Arrays.fill(table, NONE);
  }

  private void putInTable(int entry) {
    int slot = (int) digests[entry * 4 + 1] & mask;
    while (table[slot] != NONE) {
      slot = (slot + 1) & mask;
    }
    table[slot] = entry;
  }

  /* Closes the gap by moving back what was pushed past it, so that look-ups need no tombstones. */
  private void removeFromTable(int entry) {
    int gap = (int) digests[entry * 4 + 1] & mask;
    while (table[gap] != entry) {
      gap = (gap + 1) & mask;
    }
    for (int slot = (gap + 1) & mask; table[slot] != NONE; slot = (slot + 1) & mask) {
      int home = (int) digests[table[slot] * 4 + 1] & mask;
      if (((slot - home) & mask) >= ((slot - gap) & mask)) {
        table[gap] = table[slot];
        gap = slot;
      }
    }
    table[gap] = NONE;
  }

  private void moveToFront(int entry) {
    if (entry != newest) {
      unlink(entry);
      linkFirst(entry);
    }
  }

  private void unlink(int entry) {
    int before = newer[entry];
    int after = older[entry];
    if (before == NONE) {
      newest = after;
    } else {
      older[before] = after;
    }
    if (after == NONE) {
      oldest = before;
    } else {
      newer[after] = before;
    }
  }

  private void linkFirst(int entry) {
    newer[entry] = NONE;
    older[entry] = newest;
    if (newest == NONE) {
      oldest = entry;
    } else {
      newer[newest] = entry;
    }
    newest = entry;
  }
}
