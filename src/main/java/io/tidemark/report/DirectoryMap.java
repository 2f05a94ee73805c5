package io.tidemark.report;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** What each of the 65,536 chunk directories held, for a picture; for many threads. */
public final class DirectoryMap {
  public static final int DIRECTORIES = 1 << 16;

  private final AtomicIntegerArray chunks = new AtomicIntegerArray(DIRECTORIES);
  private final AtomicIntegerArray removed = new AtomicIntegerArray(DIRECTORIES);
  private final AtomicIntegerArray listingMicros = new AtomicIntegerArray(DIRECTORIES);

  /** Notes that a directory was listed. */
  public void listed(int prefix, int entries, long nanos) {
    chunks.set(prefix, entries);
    listingMicros.accumulateAndGet(
        prefix, (int) Math.min(Integer.MAX_VALUE, nanos / 1000), Math::max);
  }

  /** Notes how many of a directory's files were removed. */
  public void removed(int prefix, long files) {
    removed.addAndGet(prefix, (int) files);
  }

  /** Returns how many files of chunks a directory had when it was last listed. */
  public int chunks(int prefix) {
    return chunks.get(prefix);
  }

  public int removed(int prefix) {
    return removed.get(prefix);
  }

  /** Returns how long the slowest listing of a directory took, in microseconds. */
  public int listingMicros(int prefix) {
    return listingMicros.get(prefix);
  }
}
