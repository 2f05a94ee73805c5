package io.tidemark.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FaultyCalls;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.StopToken;
import io.tidemark.report.StoppedException;
import io.tidemark.store.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalSortFaultTest {
  private static final int MEMORY = 100;
  private static final int COUNT = 10_050;
  private static final String ONE_LINE =
      "; nothing was removed; name another directory with --spill-dir, or sort in memory with a"
          + " larger --memory";

  @TempDir Path directory;

  /* The whole of a sort with 101 runs of two blocks, and merges on the way. */
  private long run(SystemCalls calls, StopToken stop) {
    SplittableRandom random = new SplittableRandom(1);
    try (calls;
        SpillDirectory spill = new SpillDirectory(calls, directory.toString());
        ExternalSort sort = new ExternalSort(4, 4, MEMORY, spill, stop)) {
      for (int i = 0; i < COUNT; i++) {
        sort.add(random.nextLong(), 0, 0, 0, i);
      }
      RowStream stream = sort.finish();
      long rows = 0;
      long before = Long.MIN_VALUE;
      for (; stream.next(); rows++) {
        long word = stream.word(0) ^ Long.MIN_VALUE;
        assertThat(word).isGreaterThanOrEqualTo(before);
        before = word;
      }
      return rows;
    }
  }

  private long run(SystemCalls calls) {
    return run(calls, new StopToken());
  }

  @AfterEach
  void directory_afterAnyRun_isEmpty() throws IOException {
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      assertThat(open.map(ExternalSortFaultTest::target))
          .noneMatch(target -> target.startsWith(directory.toString()));
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return "closed meanwhile";
    }
  }

  @Test
  void sort_withoutFaults_returnsAllRows() {
    assertThat(run(new FaultyCalls().source().open())).isEqualTo(COUNT);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 64, 65, 90, 200, 300})
  void write_diskFull_endsTheRunWithOneLine(int k) {
    assertThatThrownBy(() -> run(new FaultyCalls().fail("pwrite", k, Errno.ENOSPC).source().open()))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("cannot write a spill file in " + directory + " at byte ")
        .hasMessageEndingWith(": ENOSPC (no space left on device)" + ONE_LINE)
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 40, 150, 300})
  void read_inputOutputError_endsTheRunWithOneLine(int k) {
    assertThatThrownBy(() -> run(new FaultyCalls().fail("pread", k, Errno.EIO).source().open()))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("cannot read a spill file in " + directory + " at byte ")
        .hasMessageEndingWith(": EIO (input/output error)" + ONE_LINE);
  }

  @Test
  void calls_interrupted_areMadeAgain() {
    FaultyCalls faults =
        new FaultyCalls().fail("pwrite", 3, Errno.EINTR).fail("pread", 5, Errno.EINTR);
    assertThat(run(faults.source().open())).isEqualTo(COUNT);
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 1000, 2335})
  void calls_short_areContinued(int most) {
    assertThat(run(AlteredCalls.open("pread", AlteredCalls.shortRead(most)))).isEqualTo(COUNT);
    assertThat(run(AlteredCalls.open("pwrite", AlteredCalls.shortWrite(most)))).isEqualTo(COUNT);
  }

  @Test
  void read_fileShorterThanWritten_endsTheRun() {
    SystemCalls calls =
        AlteredCalls.open("pread", (number, a, real) -> number > 20 ? 0 : AlteredCalls.REAL);
    assertThatThrownBy(() -> run(calls))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(": it ends too early" + ONE_LINE);
  }

  @Test
  void write_noByteTaken_endsTheRun() {
    SystemCalls calls =
        AlteredCalls.open("pwrite", (number, a, real) -> number > 20 ? 0 : AlteredCalls.REAL);
    assertThatThrownBy(() -> run(calls))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(": no byte was written" + ONE_LINE);
  }

  @ParameterizedTest
  @ValueSource(ints = {24, 28, 31, 32, 100, 600, -150, -1})
  void read_bitFlippedInTheRows_endsTheRun(int atByte) {
    for (int k : new int[] {1, 33, 120}) {
      SystemCalls calls = AlteredCalls.open("pread", AlteredCalls.flipBit(k, atByte));
      assertThatThrownBy(() -> run(calls))
          .as("read %d", k)
          .isInstanceOf(RefusedException.class)
          .hasMessageStartingWith("damaged spill file in " + directory + " at byte ")
          .hasMessageEndingWith(": wrong checksum" + ONE_LINE);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 15, 16, 20})
  void read_bitFlippedInTheHeader_endsTheRun(int atByte) {
    assertThatThrownBy(() -> run(AlteredCalls.open("pread", AlteredCalls.flipBit(2, atByte))))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(": not the header that was written" + ONE_LINE);
  }

  @Test
  void read_anotherBlockReturned_endsTheRun() {
    SystemCalls calls =
        AlteredCalls.open(
            "pread",
            (number, a, real) ->
                (long) a[3] > 0
                    ? real.pread((int) a[0], (byte[]) a[1], (int) a[2], 0)
                    : AlteredCalls.REAL);
    assertThatThrownBy(() -> run(calls))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("damaged spill file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pwrite", "pread"})
  void stop_inTheMiddle_endsTheRun(String call) {
    for (int k : new int[] {1, 50, 120}) {
      StopToken stop = new StopToken();
      SystemCalls calls =
          AlteredCalls.open(
              call,
              (number, a, real) -> {
                if (number == k) {
                  stop.request();
                }
                assertThat(number).isLessThanOrEqualTo(k + 1);
                return AlteredCalls.REAL;
              });
      assertThatThrownBy(() -> run(calls, stop)).isInstanceOf(StoppedException.class);
    }
  }

  @Test
  void sort_afterAFailure_givesNothing() {
    SystemCalls calls = new FaultyCalls().fail("pwrite", 1, Errno.EIO).source().open();
    try (calls;
        SpillDirectory spill = new SpillDirectory(calls, directory.toString());
        ExternalSort sort = new ExternalSort(4, 4, 1, spill, new StopToken())) {
      sort.add(1, 2, 3, 4, 5);
      assertThatThrownBy(() -> sort.add(2, 2, 3, 4, 5)).isInstanceOf(RefusedException.class);
      assertThatThrownBy(() -> sort.add(2, 2, 3, 4, 5)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(sort::finish).isInstanceOf(IllegalStateException.class);
    }
  }
}
