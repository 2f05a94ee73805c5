package io.tidemark.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Rows as objects, sorted and freed of duplicates by the library: what the flat ones must equal.
 */
final class RowTable {
  /** One row. */
  static final class Row {
    private final long[] words;
    private final int tag;

    Row(long[] words, int tag) {
      this.words = words;
      this.tag = tag;
    }

    long word(int column) {
      return words[column];
    }
  }

  private static final Comparator<Row> ORDER =
      Comparator.<Row, long[]>comparing(row -> row.words, Arrays::compareUnsigned)
          .thenComparingInt(row -> row.tag);

  private RowTable() {}

  static void add(Rows rows, Row row) {
    long[] w = row.words;
    if (w.length == 4) {
      rows.add(w[0], w[1], w[2], w[3], row.tag);
    } else {
      rows.add(w[0], w[1], w[2], w[3], w[4], row.tag);
    }
  }

  static void add(ExternalSort sort, Row row) {
    long[] w = row.words;
    if (w.length == 4) {
      sort.add(w[0], w[1], w[2], w[3], row.tag);
    } else {
      sort.add(w[0], w[1], w[2], w[3], w[4], row.tag);
    }
  }

  static List<Row> sorted(Collection<Row> rows) {
    List<Row> sorted = new ArrayList<>(rows);
    sorted.sort(ORDER);
    return sorted;
  }

  /** Returns the first, in order, of the rows that agree in {@code columns} leading words. */
  static List<Row> unique(Collection<Row> rows, int columns) {
    TreeMap<long[], Row> unique =
        new TreeMap<>((a, b) -> Arrays.compareUnsigned(a, 0, columns, b, 0, columns));
    for (Row row : sorted(rows)) {
      unique.putIfAbsent(row.words, row);
    }
    return List.copyOf(unique.values());
  }

  /** Asserts that {@code stream} gives exactly {@code expected}. */
  static void assertSame(RowStream stream, List<Row> expected, int stride, String description) {
    int at = 0;
    for (; stream.next(); at++) {
      if (at == expected.size()) {
        fail("%s: more than the expected %d rows", description, at);
      }
      assertRow(words(stream, stride), stream.tag(), expected.get(at), at, description);
    }
    assertThat(at).as("%s: number of rows", description).isEqualTo(expected.size());
    assertThat(stream.next()).as("%s: a row after the end", description).isFalse();
  }

  /** Asserts order, contents, and the smallest tag first, but no order among further tags. */
  static void assertSorted(Rows rows, List<Row> from, String description) {
    List<Row> expected = sorted(from);
    assertThat(rows.size()).as(description).isEqualTo(expected.size());
    List<Row> actual = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      long[] words = new long[rows.stride()];
      for (int c = 0; c < words.length; c++) {
        words[c] = rows.word(row, c);
      }
      actual.add(new Row(words, rows.tag(row)));
      boolean isFirst = row == 0 || !Arrays.equals(words, actual.get(row - 1).words);
      int tag = isFirst ? rows.tag(row) : expected.get(row).tag;
      assertRow(words, tag, expected.get(row), row, description);
    }
    List<Row> again = sorted(actual);
    for (int row = 0; row < again.size(); row++) {
      Row same = again.get(row);
      assertRow(same.words, same.tag, expected.get(row), row, description + ", all tags");
    }
  }

  private static void assertRow(long[] words, int tag, Row expected, int row, String description) {
    if (!Arrays.equals(words, expected.words) || tag != expected.tag) {
      fail(
          "%s: row %d is %s tag %d, not %s tag %d",
          description, row, hex(words), tag, hex(expected.words), expected.tag);
    }
  }

  private static String hex(long[] words) {
    return Arrays.stream(words).mapToObj(Long::toHexString).toList().toString();
  }

  private static long[] words(RowStream stream, int stride) {
    long[] words = new long[stride];
    for (int c = 0; c < stride; c++) {
      words[c] = stream.word(c);
    }
    return words;
  }
}
