package io.tidemark.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.StopToken;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalSortTest {
  private static final long SEED = 20_260_802;
  private static final int MEMORY = 1000;

  @TempDir Path directory;
  private final SystemCalls calls = Posix.open();
  private SpillDirectory spill;

  @BeforeEach
  void openSpill() {
    spill = new SpillDirectory(calls, directory.toString());
  }

  @AfterEach
  void closeSpill() {
    spill.close();
    calls.close();
  }

  private ExternalSort sort(int stride, int uniqueColumns, int rowsInMemory) {
    return new ExternalSort(stride, uniqueColumns, rowsInMemory, spill, new StopToken());
  }

  private static List<RowTable.Row> rows(int count, int distinct, int stride, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<RowTable.Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SplittableRandom content = new SplittableRandom(random.nextInt(distinct));
      rows.add(new RowTable.Row(content.longs(stride).toArray(), random.nextInt(50)));
    }
    return rows;
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0", "1, 0", "999, 0", "1000, 0", "1001, 1", "1999, 1", "2000, 1", "2001, 2", "7500, 7"
  })
  void finish_anyNumberOfRows_isTheReferenceOrder(int count, int runs) {
    List<RowTable.Row> from = rows(count, Integer.MAX_VALUE, 4, SEED);
    try (ExternalSort sort = sort(4, 4, MEMORY)) {
      from.forEach(row -> RowTable.add(sort, row));
      RowTable.assertSame(
          sort.finish(), RowTable.unique(from, 4), 4, count + " rows, seed " + SEED);
      assertThat(sort.spilledRuns()).isEqualTo(runs);
      assertThat(sort.rowsAdded()).isEqualTo(count);
      assertThat(sort.spilledBytes()).isBetween(36_000L * runs, 37_000L * runs);
    }
  }

  /* With so little memory a merge takes 16 runs, so that 32 runs and more are merged on the way. */
  @ParameterizedTest
  @CsvSource({"16, 16", "17, 18", "31, 32", "32, 34", "33, 35", "47, 50", "48, 51", "700, 746"})
  void finish_moreRunsThanOneMergeTakes_isTheReferenceOrder(int fullBatches, int runs) {
    int memory = 100;
    List<RowTable.Row> from = rows(fullBatches * memory + 1, Integer.MAX_VALUE, 5, SEED);
    try (ExternalSort sort = sort(5, 5, memory)) {
      from.forEach(row -> RowTable.add(sort, row));
      RowTable.assertSame(
          sort.finish(), RowTable.unique(from, 5), 5, fullBatches + " runs, seed " + SEED);
      assertThat(sort.spilledRuns()).isEqualTo(runs);
    }
  }

  @Test
  void add_manyRuns_keepsFewFilesOpen() throws IOException {
    try (ExternalSort sort = sort(4, 4, 100)) {
      rows(20_000, Integer.MAX_VALUE, 4, SEED).forEach(row -> RowTable.add(sort, row));
      assertThat(sort.spilledRuns()).isGreaterThan(199);
      assertThat(openFilesBelow(directory)).isBetween(16L, 34L);
    }
    assertThat(openFilesBelow(directory)).isLessThanOrEqualTo(1);
  }

  private static long openFilesBelow(Path directory) throws IOException {
    long open = 0;
    try (DirectoryStream<Path> links = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path link : links) {
        if (Files.isSymbolicLink(link)
            && Files.readSymbolicLink(link).toString().startsWith(directory.toString())) {
          open++;
        }
      }
    }
    return open;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 63, 64, 65, 2000})
  void finish_anyMemory_isTheReferenceOrder(int rowsInMemory) {
    List<RowTable.Row> from = rows(6000, 4500, 4, SEED);
    try (ExternalSort sort = sort(4, 4, rowsInMemory)) {
      from.forEach(row -> RowTable.add(sort, row));
      RowTable.assertSame(
          sort.finish(),
          RowTable.unique(from, 4),
          4,
          rowsInMemory + " rows in memory, seed " + SEED);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 400, 600, 5000, 50_000})
  void finish_duplicatesInOtherRuns_keepTheSmallestTag(int distinct) {
    List<RowTable.Row> from = rows(30_000, distinct, 4, SEED);
    try (ExternalSort sort = sort(4, 4, MEMORY)) {
      from.forEach(row -> RowTable.add(sort, row));
      RowTable.assertSame(
          sort.finish(), RowTable.unique(from, 4), 4, distinct + " distinct, seed " + SEED);
      if (distinct < MEMORY / 2) {
        assertThat(sort.spilledRuns()).isZero();
      } else {
        assertThat(sort.spilledRuns()).isPositive();
      }
    }
  }

  @Test
  void finish_uniqueByTheFirstColumn_keepsTheFirstRowOfEach() {
    List<RowTable.Row> from = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 10_000; i++) {
      long[] words = random.longs(5).toArray();
      words[0] = random.nextInt(4000);
      from.add(new RowTable.Row(words, i));
    }
    try (ExternalSort sort = sort(5, 1, MEMORY)) {
      from.forEach(row -> RowTable.add(sort, row));
      RowTable.assertSame(sort.finish(), RowTable.unique(from, 1), 5, "seed " + SEED);
    }
  }

  @Test
  void finish_noUniqueColumns_keepsAllRows() {
    List<RowTable.Row> from = rows(10_000, 700, 4, SEED);
    try (ExternalSort sort = sort(4, 0, MEMORY)) {
      from.forEach(row -> RowTable.add(sort, row));
      RowStream stream = sort.finish();
      List<RowTable.Row> expected = RowTable.sorted(from);
      for (RowTable.Row row : expected) {
        assertThat(stream.next()).isTrue();
        assertThat(stream.word(0)).as("seed %d", SEED).isEqualTo(row.word(0));
      }
      assertThat(stream.next()).isFalse();
      assertThat(sort.spilledRuns()).isEqualTo(9);
    }
  }

  @Test
  void sort_everythingFits_needsNoDirectory() {
    SpillDirectory nowhere = new SpillDirectory(calls, directory.resolve("nowhere").toString());
    try (ExternalSort sort = new ExternalSort(4, 4, 10, nowhere, new StopToken())) {
      for (int i = 0; i < 10; i++) {
        sort.add(9 - i, 0, 0, 0, i);
      }
      RowStream stream = sort.finish();
      assertThat(stream.next()).isTrue();
      assertThat(stream.tag()).isEqualTo(9);
    }
  }

  @Test
  void sort_afterFinish_takesNoMoreRows() {
    try (ExternalSort sort = sort(4, 4, 10)) {
      sort.finish();
      assertThatThrownBy(() -> sort.add(1, 2, 3, 4, 5)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(sort::finish).isInstanceOf(IllegalStateException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 2500})
  void stream_afterClose_failsAndDoesNotJustEnd(int count) {
    ExternalSort sort = sort(4, 4, MEMORY);
    rows(count, Integer.MAX_VALUE, 4, SEED).forEach(row -> RowTable.add(sort, row));
    RowStream stream = sort.finish();
    sort.close();
    assertThatThrownBy(
            () -> {
              while (stream.next()) {
                stream.word(0);
              }
            })
        .isInstanceOf(RuntimeException.class);
  }
}
