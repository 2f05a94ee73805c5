package io.tidemark.batch;

import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.StopToken;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;

/**
 * Prints what sorting uniform digests costs: {@code java -Xmx256m
 * --enable-native-access=ALL-UNNAMED -cp target/classes:target/test-classes
 * io.tidemark.batch.SortTimings 10000000 1048576}, the rows and how many of them are in memory.
 */
final class SortTimings {
  private SortTimings() {}

  public static void main(String[] arguments) {
    int count = Integer.parseInt(arguments[0]);
    int rowsInMemory = Integer.parseInt(arguments[1]);
    for (int round = 1; round <= 4; round++) {
      measure(count, rowsInMemory, round);
    }
  }

  private static void measure(int count, int rowsInMemory, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (SystemCalls calls = Posix.open();
        SpillDirectory spill = new SpillDirectory(calls, SpillDirectory.standardPath());
        ExternalSort sort = new ExternalSort(4, 4, rowsInMemory, spill, new StopToken())) {
      Stopwatch adding = new Stopwatch();
      for (int i = 0; i < count; i++) {
        sort.add(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong(), i);
      }
      String added = adding.toString();
      Stopwatch merging = new Stopwatch();
      RowStream stream = sort.finish();
      String finished = merging.toString();
      long read = 0;
      long sum = 0;
      while (stream.next()) {
        sum += stream.word(0) ^ stream.word(3) ^ stream.tag();
        read++;
      }
      System.out.printf(
          "%d rows, %d runs, %d MB | add, sort, spill: %s | finish: %s | and read: %s (%d, %x)%n",
          sort.rowsAdded(),
          sort.spilledRuns(),
          sort.spilledBytes() / 1_000_000,
          added,
          finished,
          merging,
          read,
          sum);
    }
  }

  private static final class Stopwatch {
    private final long wall = System.nanoTime();
    private final long cpu = cpuNanos();

    private static long cpuNanos() {
      return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    @Override
    public String toString() {
      return String.format(
          "%.2f s (CPU %.2f)", (System.nanoTime() - wall) / 1e9, (cpuNanos() - cpu) / 1e9);
    }
  }
}
