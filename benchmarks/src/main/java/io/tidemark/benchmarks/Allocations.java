package io.tidemark.benchmarks;

import com.sun.management.ThreadMXBean;
import io.tidemark.collect.Collector;
import io.tidemark.collect.Options;
import io.tidemark.collect.ProgressListener;
import io.tidemark.collect.Report;
import io.tidemark.collect.Strategy;
import io.tidemark.report.StopToken;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * How many bytes of heap does one more chunk cost a collection, when the JVM has warmed up: one
 * that is used, one that is removed, and one more directory?
 *
 * <p>No benchmark of JMH's but a program, which {@code benchmarks/counts} starts from this source
 * with the engine's jar as class path. It prints a line for each strategy and unit.
 */
final class Allocations {
  /*
   * Two stores differ in one thing only, so what a run costs by itself drops out of the difference.
   * Tables are kept small, so that both runs fill them to their limits, and what is left is garbage.
   * A directory of the base has 256 chunks, from which on a sort of its entries needs no more, and
   * in the largest store 768, which fit into rows of the first size. A collection allocates less
   * when the JVM has compiled it, so the least of a few rounds counts.
   */
  private static final int CHUNKS = 8192;
  private static final int DIRECTORIES = 32;
  private static final int MORE_DIRECTORIES = 256;
  private static final int TABLE = 4096;
  private static final int ROUNDS = 5;
  private static final Duration OLD = Duration.ofDays(3);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocations() {}

  /** A store, and the chunks that each collection of it removes. */
  private record Scene(BenchStore store, Digests garbage) {
    static Scene make(int used, int removed, int directories) throws IOException {
      BenchStore store = new BenchStore();
      Digests chunks = Digests.uniform(used, 1, directories);
      store.chunks(chunks, OLD);
      store.index("2026-01-01T00:00:00Z", "fidx", chunks);
      return new Scene(store, Digests.uniform(removed, 2, directories));
    }

    long allocated(Strategy strategy) throws IOException {
      store.chunks(garbage, OLD);
      Options options =
          Options.builder(store.path())
              .strategy(strategy)
              .workers(1)
              .warmAhead(0)
              .batchSize(TABLE)
              .cacheCapacity(TABLE)
              .memory(Options.LEAST_MEMORY)
              .atimeCheck(Options.AtimeCheckMode.SKIP)
              .host(store.host())
              .build();
      long before = THREADS.getTotalThreadAllocatedBytes();
      Report report = new Collector(options, ProgressListener.NONE, new StopToken()).run();
      long bytes = THREADS.getTotalThreadAllocatedBytes() - before;
      if (!report.outcome().isSuccess() || report.status().removedChunks() != garbage.size) {
        throw new IllegalStateException(report.toString());
      }
      return bytes;
    }
  }

  public static void main(String[] strategies) throws IOException {
    Scene base = Scene.make(CHUNKS, 0, DIRECTORIES);
    Scene used = Scene.make(CHUNKS * 3, 0, DIRECTORIES);
    Scene removed = Scene.make(CHUNKS, CHUNKS, DIRECTORIES);
    Scene directories = Scene.make(CHUNKS, 0, MORE_DIRECTORIES);
    try (BenchStore a = base.store;
        BenchStore b = used.store;
        BenchStore c = removed.store;
        BenchStore d = directories.store) {
      for (String strategy : strategies) {
        long[] least = least(strategy, base, used, removed, directories);
        print(strategy, "used-chunk", least[1] - least[0], CHUNKS * 2);
        print(strategy, "removed-chunk", least[2] - least[0], CHUNKS);
        print(strategy, "directory", least[3] - least[0], MORE_DIRECTORIES - DIRECTORIES);
      }
    }
  }

  private static long[] least(String strategy, Scene... scenes) throws IOException {
    Strategy parsed = Strategy.valueOf(strategy.toUpperCase(Locale.ROOT));
    long[] least = new long[scenes.length];
    Arrays.fill(least, Long.MAX_VALUE);
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < scenes.length; i++) {
        least[i] = Math.min(least[i], scenes[i].allocated(parsed));
      }
    }
    return least;
  }

  private static void print(String strategy, String unit, long bytes, int units) {
    System.out.printf(Locale.ROOT, "%s %s %.2f%n", strategy, unit, (double) bytes / units);
  }
}
