package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Snapshots come and go during a collection, and no chunk of one that is there may be lost. */
class PruneRaceTest {
  @TempDir private Path temporary;

  static Stream<Arguments> swaps() {
    return Arrays.stream(Strategy.values())
        .flatMap(
            strategy ->
                Stream.of("openat", "getdents64", "pread", "statx")
                    .map(call -> Arguments.of(strategy, call)));
  }

  /* The new snapshot refers to chunks of the old one without touching them. */
  @ParameterizedTest
  @MethodSource("swaps")
  void snapshot_replacedByItsSuccessorAtAnyMoment_chunksStay(Strategy strategy, String call) {
    long total = 1;
    for (int k = 1; k <= total; k += 1 + k / 16) {
      try (StoreFixture store = new StoreFixture(temporary.resolve(call + k))) {
        Chunk first = store.chunk(OLD);
        Chunk second = store.chunk(OLD);
        store.chunk(OLD);
        Chunk before = store.chunk(OLD);
        store.snapshot(before);
        Path old = store.snapshot(first, second);
        Chunk other = store.chunk(OLD);
        store.index("ct/7/2026-01-01T00:00:00Z/root.didx", other);
        store.faults.run(
            call,
            k,
            () -> {
              store.snapshot(first, second);
              store.remove(store.base.relativize(old.getParent()).toString());
            });

        Report report = store.collect(strategy);

        total = Math.min(50, store.faults.count(call));
        assertThat(report.outcome())
            .as("%s %d: %s", call, k, report.error())
            .isEqualTo(Outcome.DONE);
        store.assertSurvivors(first, second, before, other);
      }
    }
  }

  static Stream<Arguments> seeds() {
    List<Strategy> strategies = List.of(Strategy.values());
    return IntStream.rangeClosed(1, 60)
        .mapToObj(seed -> Arguments.of(seed, strategies.get(seed % strategies.size())));
  }

  @ParameterizedTest(name = "seed {0} {1}")
  @MethodSource("seeds")
  void backupsAndPrunes_atRandomMoments_chunksOfWhatIsLeftAreThere(int seed, Strategy strategy) {
    try (StoreFixture store = new StoreFixture(temporary)) {
      Server server = new Server(store, new Random(seed));
      for (int i = 0; i < 3; i++) {
        server.backup();
      }
      for (int i = 0; i < 12; i++) {
        String call = List.of("openat", "getdents64", "pread").get(i % 3);
        store.faults.run(call, 1 + server.random.nextInt(call.equals("openat") ? 60 : 15), server);
      }

      Report report = store.collect(options -> options.strategy(strategy).batchSize(4));

      assertThat(report.error()).isEmpty();
      for (List<Chunk> chunks : server.snapshots.values()) {
        store.assertExist(chunks.toArray(Chunk[]::new));
      }
      assertThat(report.missingCount()).isZero();
    }
  }

  /** A server that backs up a group and prunes it, one at a time. */
  private static final class Server implements Runnable {
    private final StoreFixture store;
    private final Random random;
    private final Map<Path, List<Chunk>> snapshots = new LinkedHashMap<>();
    private List<Chunk> last = List.of();

    Server(StoreFixture store, Random random) {
      this.store = store;
      this.random = random;
    }

    @Override
    public void run() {
      if (random.nextInt(3) == 0) {
        prune();
      } else {
        backup();
      }
    }

    /* Known chunks are those of the snapshot before; any other is uploaded, so it is young. */
    void backup() {
      Duration age = last.isEmpty() ? OLD : Duration.ofSeconds(-5);
      List<Chunk> chunks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        boolean known = !last.isEmpty() && random.nextInt(4) > 0;
        chunks.add(known ? last.get(random.nextInt(last.size())) : store.chunk(age));
      }
      snapshots.put(store.snapshot(chunks.toArray(Chunk[]::new)), chunks);
      last = chunks;
    }

    /* Never the last one, which the next backup builds on. */
    void prune() {
      if (snapshots.size() > 1) {
        List<Path> indexes = new ArrayList<>(snapshots.keySet());
        Path index = indexes.get(random.nextInt(indexes.size() - 1));
        snapshots.remove(index);
        store.remove(store.base.relativize(index.getParent()).toString());
      }
    }
  }
}
