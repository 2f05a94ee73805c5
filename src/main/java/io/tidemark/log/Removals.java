package io.tidemark.log;

import java.util.Arrays;

/** Chunks that are about to be removed from one directory, and what became of them; flat arrays. */
public final class Removals {
  public static final int CAPACITY = 1024;

  private static final int FIRST = 32;

  private long[] words = new long[4 * FIRST];
  private long[] sizes = new long[FIRST];
  private long[] atimes = new long[FIRST];
  private int[] kinds = new int[FIRST];
  private Fate[] fates = new Fate[FIRST];
  private int size;

  /** Adds a file; it counts as untried. */
  public void add(long w0, long w1, long w2, long w3, int kind, long bytes, long atimeSeconds) {
    if (size == kinds.length) {
      words = Arrays.copyOf(words, 8 * size);
      sizes = Arrays.copyOf(sizes, 2 * size);
      atimes = Arrays.copyOf(atimes, 2 * size);
      kinds = Arrays.copyOf(kinds, 2 * size);
      fates = Arrays.copyOf(fates, 2 * size);
    }
    words[4 * size] = w0;
    words[4 * size + 1] = w1;
    words[4 * size + 2] = w2;
    words[4 * size + 3] = w3;
    sizes[size] = bytes;
    atimes[size] = atimeSeconds;
    kinds[size] = kind;
    fates[size] = Fate.UNTRIED;
    size++;
  }

  public int size() {
    return size;
  }

  public boolean isFull() {
    return size == CAPACITY;
  }

  public void clear() {
    size = 0;
  }

  /** Returns a word of the digest, 0 to 3. */
  public long word(int row, int word) {
    return words[4 * row + word];
  }

  /** Returns the kind of file, as in {@link io.tidemark.store.EntryKind}. */
  public int kind(int row) {
    return kinds[row];
  }

  public long bytes(int row) {
    return sizes[row];
  }

  public long atimeSeconds(int row) {
    return atimes[row];
  }

  /** Notes what became of a file. */
  public void setFate(int row, Fate fate) {
    fates[row] = fate;
  }

  public Fate fate(int row) {
    return fates[row];
  }
}
