package io.tidemark.batch;

import io.tidemark.report.StopToken;
import java.util.Arrays;

/** A bounded flat array of rows of 64-bit words, each with a 32-bit tag, sorted in place. */
public final class Rows {
  /*
   * Two things of the engine are rows: a reference (four words of digest; the tag is its index
   * file) and an entry to touch (the inode number, then the digest; the tag is what is needed
   * beside it). Words compare as unsigned, column by column, which for digests is the order of
   * their bytes and so of the chunk directories.
   *
   * The rows themselves are all the memory: 36 bytes a reference, 44 an entry to touch.
   */
  private final int stride;
  private final int capacity;
  private long[] words;
  private int[] tags;
  private int size;

  /**
   * @param stride words a row
   * @param capacity the most rows that it holds; memory grows up to that as rows come
   */
  public Rows(int stride, int capacity) {
    if (capacity < 1 || capacity > maximumCapacity(stride)) {
      throw new IllegalArgumentException("capacity " + capacity + " is not 1 to the maximum");
    }
    this.stride = stride;
    this.capacity = capacity;
    int first = Math.min(capacity, 1024);
    words = new long[first * stride];
    tags = new int[first];
  }

  /** Returns the most rows of {@code stride} words that one array can hold. */
  public static int maximumCapacity(int stride) {
    return (Integer.MAX_VALUE - 8) / stride;
  }

  /** Returns the bytes of memory that {@code count} rows take. */
  public static long bytes(int stride, long count) {
    return count * (8L * stride + 4);
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public boolean isFull() {
    return size == capacity;
  }

  public int stride() {
    return stride;
  }

  public long word(int row, int column) {
    return words[row * stride + column];
  }

  public int tag(int row) {
    return tags[row];
  }

  /** Replaces the tag of a row. */
  public void setTag(int row, int tag) {
    tags[row] = tag;
  }

  /** Forgets all rows, and keeps the memory. */
  public void clear() {
    size = 0;
  }

  /** Gives back the memory as well. */
  public void release() {
    clear();
    words = new long[0];
    tags = new int[0];
  }

  /** Adds a row of four words. */
  public void add(long w0, long w1, long w2, long w3, int tag) {
    int at = append(tag);
    words[at] = w0;
    words[at + 1] = w1;
    words[at + 2] = w2;
    words[at + 3] = w3;
  }

  /** Adds a row of five words. */
  public void add(long w0, long w1, long w2, long w3, long w4, int tag) {
    add(w0, w1, w2, w3, tag);
    words[(size - 1) * stride + 4] = w4;
  }

  /** Adds {@code count} rows that lie row by row in {@code from}, with their tags. */
  public void addAll(long[] from, int[] fromTags, int count) {
    ensure(size + count);
    System.arraycopy(from, 0, words, size * stride, count * stride);
    System.arraycopy(fromTags, 0, tags, size, count);
    size += count;
  }

  /** Copies rows {@code from} up to {@code to} into the starts of two arrays. */
  public void copy(int from, int to, long[] into, int[] intoTags) {
    System.arraycopy(words, from * stride, into, 0, (to - from) * stride);
    System.arraycopy(tags, from, intoTags, 0, to - from);
  }

  private int append(int tag) {
    ensure(size + 1);
    tags[size] = tag;
    return size++ * stride;
  }

  private void ensure(int rows) {
    if (rows > tags.length) {
      if (rows > capacity) {
        throw new IllegalStateException("more than " + capacity + " rows");
      }
      int grown = (int) Math.min(capacity, Math.max(rows, Math.max(1024L, tags.length * 2L)));
      words = Arrays.copyOf(words, grown * stride);
      tags = Arrays.copyOf(tags, grown);
    }
  }

  /** Sorts the rows; of rows with equal words the one with the smallest tag comes first. */
  public void sort() {
    sort(new StopToken());
  }

  /** Sorts as {@link #sort()} does, and ends early with an exception when asked to stop. */
  public void sort(StopToken stop) {
    new RowSort(words, tags, stride, size, stop).sort(0, size, 0);
  }

  /** Drops each row whose first {@code columns} words equal those of the row before it. */
  public void dropDuplicates(int columns) {
    int kept = Math.min(size, 1);
    for (int row = 1; row < size; row++) {
      if (differ(row, kept - 1, columns)) {
        if (row != kept) {
          System.arraycopy(words, row * stride, words, kept * stride, stride);
          tags[kept] = tags[row];
        }
        kept++;
      }
    }
    size = kept;
  }

  private boolean differ(int row, int other, int columns) {
    for (int c = 0; c < columns; c++) {
      if (words[row * stride + c] != words[other * stride + c]) {
        return true;
      }
    }
    return false;
  }
}
