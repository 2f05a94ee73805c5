package io.tidemark.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreModel.Expectation;
import io.tidemark.posix.Errno;
import io.tidemark.report.GcStatus;
import io.tidemark.store.LockMode;
import io.tidemark.warm.Rewarm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Collects stores full of odd things with every strategy; the seed is the argument of the test. */
class RandomStoreTest {
  /*
   * Batch sizes, windows, workers, caches and locks are spread over seeds and strategies, so that
   * each combination comes several times. AUTO is one of the others.
   */
  private static final int SEEDS = 100;

  private static final List<Strategy> STRATEGIES =
      Arrays.stream(Strategy.values()).filter(strategy -> strategy != Strategy.AUTO).toList();
  private static final List<Window> WINDOWS =
      List.of(Window.AUTO, Window.ALL, Window.DIRECTORY, Window.of(1), Window.of(4));
  private static final List<Rewarm> REWARMS = List.of(Rewarm.values());

  @TempDir private Path temporary;

  static IntStream seeds() {
    return IntStream.rangeClosed(1, SEEDS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void collection_randomStore_resultIsTheModelsWithEveryStrategy(int seed) {
    List<GcStatus> statuses = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < STRATEGIES.size(); i++) {
      Strategy strategy = STRATEGIES.get(i);
      Path directory = temporary.resolve(strategy.label());
      try (RandomStore store = new RandomStore(directory, seed)) {
        Expectation expected = store.expectation();
        if (seed % 4 == 0) {
          store.fixture.faults.failFrom("nameToHandleAt", 1, Errno.EOPNOTSUPP);
        }
        UnaryOperator<Options.Builder> options = options(seed, i, store.references());
        boolean chosen = seed % STRATEGIES.size() == i;
        if (chosen) {
          assertPredicts(store, expected, options);
        }

        Report report = store.fixture.collect(options);

        assertResult(store, expected, report);
        if (chosen) {
          assertRepeatable(store, expected, options);
        }
        statuses.add(InterruptedStore.withoutCache(report.status()));
        missing.add(report.missing().toString().replace(directory.toString(), ""));
      }
    }
    assertThat(statuses).allMatch(statuses.getFirst()::equals);
    assertThat(missing).allMatch(missing.getFirst()::equals);
  }

  private static UnaryOperator<Options.Builder> options(int seed, int strategy, int references) {
    int spread = seed * STRATEGIES.size() + strategy + seed / 7;
    int batch =
        switch (spread % 6) {
          case 0 -> 1;
          case 1 -> 2;
          case 2 -> Math.max(1, references - 1);
          case 3 -> references;
          case 4 -> references + 1;
          default -> Options.DEFAULT_BATCH_SIZE;
        };
    return options ->
        options
            .strategy(STRATEGIES.get(strategy))
            .batchSize(batch)
            .workers(spread % 5 < 2 ? 3 : 1)
            .cacheCapacity(cacheCapacity(seed))
            .lockMode(spread % 4 == 0 ? LockMode.EXCLUSIVE : LockMode.SHARED)
            .window(WINDOWS.get(seed % WINDOWS.size()))
            .rewarm(REWARMS.get(spread % 3));
  }

  private static int cacheCapacity(int seed) {
    return switch (seed % 3) {
      case 0 -> 0;
      case 1 -> 2;
      default -> Options.DEFAULT_CACHE_CAPACITY;
    };
  }

  private static void assertPredicts(
      RandomStore store, Expectation expected, UnaryOperator<Options.Builder> options) {
    store.fixture.remember();
    Report dry =
        store.fixture.collect(builder -> options.apply(builder).action(Options.Action.DRY_RUN));
    store.fixture.assertUnchanged();
    assertThat(dry.error()).isEmpty();
    assertReport(expected, dry);
  }

  private static void assertResult(RandomStore store, Expectation expected, Report report) {
    assertThat(report.error()).isEmpty();
    assertThat(store.fixture.survivors()).isEqualTo(expected.survivors);
    for (String name : expected.touched) {
      assertThat(store.fixture.used(store.fixture.base.resolve(".chunks").resolve(name)))
          .as(name)
          .isAfterOrEqualTo(store.fixture.now);
    }
    store.fixture.assertModificationTimesKept();
    assertReport(expected, report);
  }

  private static void assertReport(Expectation expected, Report report) {
    GcStatus status = report.status();
    assertThat(InterruptedStore.withoutCache(status))
        .isEqualTo(
            new GcStatus(
                expected.indexFiles,
                expected.indexBytes,
                expected.diskBytes,
                expected.diskChunks,
                expected.removedBytes,
                expected.removedChunks,
                expected.pendingBytes,
                expected.pendingChunks,
                expected.removedBad,
                expected.stillBad,
                GcStatus.CacheStats.NONE));
    assertThat(report.references()).isEqualTo(expected.references);
    assertThat(report.missingCount()).isEqualTo(expected.missing.size());
    Map<String, Integer> missing = new HashMap<>();
    report.missing().forEach(chunk -> missing.put(chunk.digest(), chunk.badFiles()));
    assertThat(missing).isEqualTo(expected.missing);
    assertThat(report.missing()).isSortedAccordingTo((a, b) -> a.digest().compareTo(b.digest()));
    assertThat(report.foreign()).as("foreign entries").isEqualTo(expected.foreign);
    assertThat(report.outcome()).isEqualTo(expected.warned ? Outcome.WARNINGS : Outcome.DONE);
    assertCache(expected, status.cacheStats());
  }

  private static void assertCache(Expectation expected, GcStatus.CacheStats cache) {
    long lookups = cache.hits() + cache.misses();
    assertThat(lookups).isIn(0L, expected.references);
    assertThat(cache.misses()).isGreaterThanOrEqualTo(lookups == 0 ? 0 : expected.uniqueReferences);
  }

  /* What is left must be what the next run leaves. */
  private static void assertRepeatable(
      RandomStore store, Expectation expected, UnaryOperator<Options.Builder> options) {
    Report again = store.fixture.collect(options);
    assertThat(store.fixture.survivors()).isEqualTo(expected.survivors);
    assertThat(again.status().removedChunks()).isZero();
    assertThat(again.status().removedBad()).isZero();
    assertThat(again.status().diskBytes()).isEqualTo(expected.diskBytes);
  }
}
