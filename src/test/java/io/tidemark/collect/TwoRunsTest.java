package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs in one JVM share nothing. */
class TwoRunsTest {
  @TempDir private Path temporary;

  @ParameterizedTest
  @EnumSource
  @Timeout(30)
  void runs_ofTwoStoresAtOnce_eachDoesItsOwn(Strategy strategy) {
    try (StoreFixture one = new StoreFixture(temporary.resolve("one"));
        StoreFixture two = new StoreFixture(temporary.resolve("two"))) {
      Chunk[] first = fill(one, 40, 5);
      Chunk[] second = fill(two, 60, 7);
      two.snapshot(two.missing());
      CyclicBarrier bothMark = new CyclicBarrier(2);
      one.faults.before("openat", "disk.fidx", 1, () -> await(bothMark));
      two.faults.before("openat", "disk.fidx", 1, () -> await(bothMark));

      CompletableFuture<Report> other = CompletableFuture.supplyAsync(() -> collect(one, strategy));
      Report report = collect(two, strategy);
      Report otherReport = other.join();

      assertThat(otherReport.outcome()).isEqualTo(Outcome.DONE);
      assertThat(otherReport.references()).isEqualTo(40);
      assertThat(otherReport.status().removedChunks()).isEqualTo(5);
      assertThat(otherReport.warnings()).isEmpty();
      assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
      assertThat(report.references()).isEqualTo(61);
      assertThat(report.status().removedChunks()).isEqualTo(7);
      assertThat(report.missingCount()).isEqualTo(1);
      one.assertSurvivors(first);
      two.assertSurvivors(second);
    }
  }

  private static Chunk[] fill(StoreFixture store, int used, int unused) {
    IntStream.range(0, unused).forEach(i -> store.chunk(OLD));
    Chunk[] chunks = IntStream.range(0, used).mapToObj(i -> store.chunk(OLD)).toArray(Chunk[]::new);
    store.snapshot(chunks);
    return chunks;
  }

  private static Report collect(StoreFixture store, Strategy strategy) {
    return store.collect(options -> options.strategy(strategy).batchSize(9).workers(3));
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void runs_ofOneStoreAtOnce_secondIsBusy() {
    try (StoreFixture store = new StoreFixture(temporary)) {
      Chunk[] used = fill(store, 3, 2);
      Report[] second = new Report[1];
      store.faults.before("openat", "disk.fidx", 1, () -> second[0] = store.collect());

      Report first = store.collect();

      assertThat(second[0].outcome()).isEqualTo(Outcome.BUSY);
      assertThat(second[0].error().orElseThrow()).contains("another run of Tidemark");
      assertThat(first.outcome()).isEqualTo(Outcome.DONE);
      store.assertSurvivors(used);
    }
  }
}
