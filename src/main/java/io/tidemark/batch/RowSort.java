package io.tidemark.batch;

import io.tidemark.report.StopToken;
import java.util.Arrays;

/** Sorts the flat rows of {@link Rows} in place. */
final class RowSort {
  /*
   * An American-flag pass distributes the rows over 256 buckets by the leading eight bits of the
   * first column that differs, then the same within each bucket, until a bucket has at most 256
   * rows. The bits are counted from the smallest key on, so that inode numbers, which are small
   * and dense, spread over the buckets as well as digests do.
   *
   * A pass of 16 bits would need fewer rounds, but its 65,536 places to write to miss the cache
   * and the TLB with each row: 2^20 uniform digests take 240 ms with 16 bits and 100 ms with eight.
   *
   * For the small buckets, 56 bits of the key and the row's place become one long; these are
   * sorted in the first-level cache, and then each row moves once. Two keys that differ in the
   * bits that did not fit are put right afterwards, a case that digests do not know.
   *
   * Beside the rows it needs 11 KiB (less for fewer than 256 rows: a sort of the few entries of a
   * directory comes 65,536 times a run), and 2 KiB for each level of buckets.
   */
  private static final int BITS = 8;
  private static final int SMALL = 1 << 8;
  private static final int PLACE = SMALL - 1;
  private static final int INSERTION = 8;

  private final long[] words;
  private final int[] tags;
  private final int stride;
  private final StopToken stop;
  private final long[] keys;
  private final long[] sortedWords;
  private final int[] sortedTags;

  /**
   * Makes what sorts once.
   *
   * @param rows how many of them will be sorted, at most
   */
  RowSort(long[] words, int[] tags, int stride, int rows, StopToken stop) {
    this.words = words;
    this.tags = tags;
    this.stride = stride;
    this.stop = stop;
    int room = rows <= INSERTION ? 0 : Math.min(rows, SMALL);
    keys = new long[room];
    sortedWords = new long[room * stride];
    sortedTags = new int[room];
  }

  /**
   * Sorts rows {@code from} up to {@code to}, which agree in the columns before {@code
   * firstColumn}; of rows with equal words the one with the smallest tag comes first.
   */
  void sort(int from, int to, int firstColumn) {
    if (to - from <= INSERTION) {
      insertionSort(from, to, firstColumn);
      return;
    }
    for (int column = firstColumn; column < stride; column++) {
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
        if (to - from <= SMALL) {
          sortSmall(from, to, column, least, greatest);
        } else {
          partition(from, to, column, least, greatest);
        }
        return;
      }
    }
    smallestTagFirst(from, to);
  }

  private void partition(int from, int to, int column, long least, long greatest) {
    int shift = Math.max(0, 64 - Long.numberOfLeadingZeros(greatest - least) - BITS);
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
      stop.check();
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
        sort(start, end[b], rest);
      }
      start = end[b];
    }
  }

  private void sortSmall(int from, int to, int column, long least, long greatest) {
    int lead = Long.numberOfLeadingZeros(greatest - least);
    for (int row = from; row < to; row++) {
      long key = (words[row * stride + column] - least) << lead;
      keys[row - from] = ((key & ~PLACE) | (row - from)) ^ Long.MIN_VALUE;
    }
    Arrays.sort(keys, 0, to - from);
    int into = 0;
    for (int row = from; row < to; row++) {
      int place = from + ((int) keys[row - from] & PLACE);
      int end = (place + 1) * stride;
      for (int at = place * stride; at < end; at++) {
        sortedWords[into++] = words[at];
      }
      sortedTags[row - from] = tags[place];
    }
    System.arraycopy(sortedWords, 0, words, from * stride, into);
    System.arraycopy(sortedTags, 0, tags, from, to - from);
    if (lead < BITS) {
      insertionSortColumn(from, to, column);
    }
    int start = from;
    for (int row = from + 1; row <= to; row++) {
      if (row == to || words[row * stride + column] != words[start * stride + column]) {
        if (row - start > 1) {
          sort(start, row, column + 1);
        }
        start = row;
      }
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

  private void insertionSort(int from, int to, int firstColumn) {
    for (int row = from + 1; row < to; row++) {
      for (int at = row; at > from && isLess(at, at - 1, firstColumn); at--) {
        swap(at, at - 1);
      }
    }
  }

  private void insertionSortColumn(int from, int to, int column) {
    for (int row = from + 1; row < to; row++) {
      for (int at = row; at > from && order(at, at - 1, column) < 0; at--) {
        swap(at, at - 1);
      }
    }
  }

  private int order(int row, int other, int column) {
    return Long.compareUnsigned(words[row * stride + column], words[other * stride + column]);
  }

  private boolean isLess(int row, int other, int firstColumn) {
    for (int c = firstColumn; c < stride; c++) {
      int order = order(row, other, c);
      if (order != 0) {
        return order < 0;
      }
    }
    return tags[row] < tags[other];
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
