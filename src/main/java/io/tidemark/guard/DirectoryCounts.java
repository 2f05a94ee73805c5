package io.tidemark.guard;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** How many entries each chunk directory had when it was listed; for many threads. */
public final class DirectoryCounts {
  public static final int DIRECTORIES = 65536;

  private static final int UNKNOWN = -1;

  private final AtomicIntegerArray entries;

  public DirectoryCounts() {
    int[] unknown = new int[DIRECTORIES];
    Arrays.fill(unknown, UNKNOWN);
    entries = new AtomicIntegerArray(unknown);
  }

  /** Notes a directory; one that does not exist has none. */
  public void set(int prefix, int count) {
    entries.set(prefix, count);
  }

  boolean isKnown(int prefix) {
    return entries.get(prefix) != UNKNOWN;
  }

  int get(int prefix) {
    return entries.get(prefix);
  }
}
