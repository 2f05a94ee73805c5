package io.tidemark.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.report.StopToken;
import io.tidemark.report.StoppedException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowsTest {
  private static final long SEED = 20_260_801;

  /** What the words of a test's rows look like. */
  enum Shape {
    UNIFORM,
    DENSE,
    EQUAL,
    FEW_DISTINCT,
    SORTED,
    REVERSED,
    CLUSTERED,
    EXTREMES;

    List<RowTable.Row> rows(int count, int stride, SplittableRandom random) {
      List<RowTable.Row> rows = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        long[] words = new long[stride];
        for (int c = 0; c < stride; c++) {
          words[c] = word(c, i, count, random);
        }
        rows.add(new RowTable.Row(words, random.nextInt(1000)));
      }
      return rows;
    }

    private long word(int column, int row, int count, SplittableRandom random) {
      return switch (this) {
        case UNIFORM -> random.nextLong();
        case DENSE -> column == 0 ? 1000 + random.nextInt(2 * count) : random.nextLong();
        case EQUAL -> 7;
        case FEW_DISTINCT -> (long) random.nextInt(3) << 62;
        case SORTED -> column == 0 ? row : random.nextLong();
        case REVERSED -> column == 0 ? -row : random.nextLong();
        // All bits count, and most rows agree in the leading 56.
        case CLUSTERED -> (random.nextInt(8) == 0 ? -1L << 63 : 0) | random.nextInt(200);
        case EXTREMES -> random.nextBoolean() ? random.nextInt(2) : -1L - random.nextInt(2);
      };
    }
  }

  private static Rows filled(List<RowTable.Row> from, int stride) {
    Rows rows = new Rows(stride, Math.max(1, from.size()));
    from.forEach(row -> RowTable.add(rows, row));
    return rows;
  }

  @ParameterizedTest
  @EnumSource
  void sort_rowsOfAnyShape_areInTheReferenceOrder(Shape shape) {
    for (int stride : new int[] {4, 5}) {
      for (int count : new int[] {0, 1, 2, 7, 8, 9, 255, 256, 257, 5000}) {
        long seed = SEED + count;
        List<RowTable.Row> from = shape.rows(count, stride, new SplittableRandom(seed));
        Rows rows = filled(from, stride);
        rows.sort();
        RowTable.assertSorted(
            rows, from, "%s, %d rows of %d words, seed %d".formatted(shape, count, stride, seed));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void sort_moreThan65536Rows_areInTheReferenceOrder(Shape shape) {
    for (int stride : new int[] {4, 5}) {
      List<RowTable.Row> from = shape.rows(70_000, stride, new SplittableRandom(SEED));
      Rows rows = filled(from, stride);
      rows.sort();
      RowTable.assertSorted(
          rows, from, "%s, 70,000 rows of %d words, seed %d".formatted(shape, stride, SEED));
    }
  }

  @Test
  void sort_wordsWithTheHighestBit_comeLast() {
    Rows rows = new Rows(4, 2);
    rows.add(Long.MIN_VALUE, 0, 0, 0, 1);
    rows.add(Long.MAX_VALUE, 0, 0, 0, 2);
    rows.sort();
    assertThat(rows.word(0, 0)).isEqualTo(Long.MAX_VALUE);
    assertThat(rows.tag(0)).isEqualTo(2);
    assertThat(rows.word(1, 0)).isEqualTo(Long.MIN_VALUE);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 200, 5000})
  void sort_stopRequested_endsOrFinishes(int count) {
    StopToken stop = new StopToken();
    stop.request();
    Rows rows = filled(Shape.UNIFORM.rows(count, 4, new SplittableRandom(SEED)), 4);
    if (count > 256) {
      assertThatThrownBy(() -> rows.sort(stop)).isInstanceOf(StoppedException.class);
    } else {
      rows.sort(stop);
      assertThat(Long.compareUnsigned(rows.word(0, 0), rows.word(1, 0))).isNegative();
    }
  }

  @Test
  void dropDuplicates_equalRows_keepTheSmallestTag() {
    for (Shape shape : List.of(Shape.EQUAL, Shape.FEW_DISTINCT, Shape.CLUSTERED)) {
      List<RowTable.Row> from = shape.rows(3000, 4, new SplittableRandom(SEED));
      Rows rows = filled(from, 4);
      rows.sort();
      rows.dropDuplicates(4);
      RowTable.assertSame(
          new SortedRows(rows), RowTable.unique(from, 4), 4, shape + ", seed " + SEED);
    }
  }

  @Test
  void dropDuplicates_fewerColumnsThanAll_keepsTheFirstOfEach() {
    List<RowTable.Row> from = Shape.DENSE.rows(3000, 5, new SplittableRandom(SEED));
    Rows rows = filled(from, 5);
    rows.sort();
    rows.dropDuplicates(1);
    assertThat(rows.size()).isBetween(1000, 2999);
    RowTable.assertSame(new SortedRows(rows), RowTable.unique(from, 1), 5, "seed " + SEED);
  }

  @Test
  void dropDuplicates_noRowsOrOne_changesNothing() {
    Rows rows = new Rows(4, 1);
    rows.dropDuplicates(4);
    assertThat(rows.isEmpty()).isTrue();
    rows.add(1, 2, 3, 4, 5);
    rows.dropDuplicates(4);
    assertThat(rows.size()).isEqualTo(1);
  }

  @Test
  void add_beyondTheFirstAllocation_growsUpToTheCapacity() {
    int capacity = 5000;
    IntToLongFunction word = i -> i * 0x9E37_79B9_7F4A_7C15L;
    Rows rows = new Rows(5, capacity);
    for (int i = 0; i < capacity; i++) {
      assertThat(rows.isFull()).isFalse();
      rows.add(word.applyAsLong(i), i, ~i, 3, word.applyAsLong(-i), i);
    }
    assertThat(rows.isFull()).isTrue();
    for (int i = 0; i < capacity; i++) {
      assertThat(rows.word(i, 0)).isEqualTo(word.applyAsLong(i));
      assertThat(rows.word(i, 2)).isEqualTo(~i);
      assertThat(rows.word(i, 4)).isEqualTo(word.applyAsLong(-i));
      assertThat(rows.tag(i)).isEqualTo(i);
    }
    assertThatThrownBy(() -> rows.add(0, 0, 0, 0, 0, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("more than 5000 rows");
  }

  @Test
  void capacity_outsideItsLimits_isRefused() {
    assertThatThrownBy(() -> new Rows(4, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Rows(4, Rows.maximumCapacity(4) + 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new Rows(4, Rows.maximumCapacity(4)).isEmpty()).isTrue();
    assertThat(Rows.maximumCapacity(4)).isGreaterThan(134_217_728);
  }

  @Test
  void addAll_afterClearAndRelease_takesRowsAgain() {
    Rows rows = new Rows(4, 3000);
    rows.add(1, 1, 1, 1, 1);
    rows.clear();
    assertThat(rows.isEmpty()).isTrue();
    rows.release();
    rows.addAll(new long[] {1, 2, 3, 4, 5, 6, 7, 8}, new int[] {9, 10}, 2);
    assertThat(rows.size()).isEqualTo(2);
    assertThat(rows.word(1, 3)).isEqualTo(8);
    assertThat(rows.tag(1)).isEqualTo(10);
    long[] words = new long[4];
    int[] tags = new int[1];
    rows.copy(1, 2, words, tags);
    assertThat(words).containsExactly(5, 6, 7, 8);
    assertThat(tags).containsExactly(10);
  }
}
