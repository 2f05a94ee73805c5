package io.tidemark.batch;

import java.util.Arrays;

/** A bounded flat array of rows of 64-bit words, each with a 32-bit tag, and its radix sort. */
public final class Rows {
  /*
   * Two things of the engine are rows: a reference (four words of digest; the tag is its index
   * file) and an entry to touch (the inode number, then the digest; the tag is what is needed
   * beside it). Words compare as unsigned, column by column, which for digests is the order of
   * their bytes and so of the chunk directories.
   *
   * The sort is in place: an American-flag pass on the leading bits of the first column that
   * differs, 16 bits when there are many rows, then the same within each bucket, and insertion for
   * the few that remain. The bits are counted from the smallest key on, so that inode numbers,
   * which are small and dense, spread over the buckets as well as digests do. One batch of 2^20
   * uniform digests needs one pass and 65,536 insertion sorts of 16 rows. Beyond the rows
   * themselves (36 bytes a reference) it needs one counter a bucket.
   */
  private static final int INSERTION = 24;
  private static final int WIDE = 1 << 16;

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
    sort(0, size, 0);
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

  private void sort(int from, int to, int firstColumn) {
    int column = firstColumn;
    while (to - from > INSERTION) {
      long least = words[from * stride + column];
      long greatest = least;
      for (int at = (from + 1) * stride + column; at < to * stride; at += stride) {
        long key = words[at];
        if (Long.compareUnsigned(key, least) < 0) {
          least = key;
        } else if (Long.compareUnsigned(key, greatest) > 0) {
          greatest = key;
        }
      }
      if (least != greatest) {
        partition(from, to, column, least, greatest);
        return;
      }
      if (++column == stride) {
        smallestTagFirst(from, to);
        return;
      }
    }
    insertionSort(from, to, column);
  }

  private void partition(int from, int to, int column, long least, long greatest) {
    int bits = to - from >= WIDE ? 16 : 8;
    int shift = Math.max(0, 64 - Long.numberOfLeadingZeros(greatest - least) - bits);
    int buckets = (int) ((greatest - least) >>> shift) + 1;
    int[] end = new int[buckets];
    for (int at = from * stride + column; at < to * stride; at += stride) {
      end[(int) ((words[at] - least) >>> shift)]++;
    }
    int[] next = new int[buckets];
    int sum = from;
    for (int b = 0; b < buckets; b++) {
      next[b] = sum;
      sum += end[b];
      end[b] = sum;
    }
    for (int b = 0; b < buckets; b++) {
      while (next[b] < end[b]) {
        int row = next[b];
        int home = (int) ((words[row * stride + column] - least) >>> shift);
        if (home == b) {
          next[b]++;
        } else {
          swap(row, next[home]++);
        }
      }
    }
    int rest = shift == 0 ? column + 1 : column;
    int start = from;
    for (int b = 0; b < buckets; b++) {
      if (end[b] - start > 1) {
        if (rest == stride) {
          smallestTagFirst(start, end[b]);
        } else {
          sort(start, end[b], rest);
        }
      }
      start = end[b];
    }
  }

  private void swap(int row, int other) {
    int a = row * stride;
    int b = other * stride;
    for (int c = 0; c < stride; c++) {
      long word = words[a + c];
      words[a + c] = words[b + c];
      words[b + c] = word;
    }
    int tag = tags[row];
    tags[row] = tags[other];
    tags[other] = tag;
  }

  private void insertionSort(int from, int to, int column) {
    for (int row = from + 1; row < to; row++) {
      for (int at = row; at > from && compare(at, at - 1, column) < 0; at--) {
        swap(at, at - 1);
      }
    }
  }

  private int compare(int row, int other, int column) {
    for (int c = column; c < stride; c++) {
      int order = Long.compareUnsigned(words[row * stride + c], words[other * stride + c]);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(tags[row], tags[other]);
  }

  private void smallestTagFirst(int from, int to) {
    int smallest = from;
    for (int row = from + 1; row < to; row++) {
      if (tags[row] < tags[smallest]) {
        smallest = row;
      }
    }
    int tag = tags[from];
    tags[from] = tags[smallest];
    tags[smallest] = tag;
  }
}
