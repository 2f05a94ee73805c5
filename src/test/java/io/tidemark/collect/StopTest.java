package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A request to stop, at any moment, ends the run and loses nothing. */
class StopTest {
  @TempDir private Path temporary;
  private StoreFixture store;
  private Chunk[] used;

  @BeforeEach
  void make() {
    store = new StoreFixture(temporary);
    used = IntStream.range(0, 8).mapToObj(i -> store.chunk(OLD)).toArray(Chunk[]::new);
    IntStream.range(0, 8).forEach(i -> store.chunk(OLD));
    store.snapshot(used);
  }

  @AfterEach
  void close() {
    store.close();
  }

  static Stream<Arguments> moments() {
    return Arrays.stream(Strategy.values())
        .flatMap(
            strategy ->
                Stream.of(
                    Arguments.of(strategy, "openat", "store/vm"),
                    Arguments.of(strategy, "openat", "disk.fidx"),
                    Arguments.of(strategy, "utimensat", ""),
                    Arguments.of(strategy, "renameat2", ""),
                    Arguments.of(strategy, "unlinkat", "")));
  }

  @ParameterizedTest
  @MethodSource("moments")
  @Timeout(20)
  void stop_requestedInAnyPhase_runEndsAndTheNextCompletes(
      Strategy strategy, String call, String part) {
    store.faults.before(call, part, 1, store::stop);
    store.faults.before("futimens", "", 1, store::stop);

    Report report = store.collect(options -> options.strategy(strategy).batchSize(3));

    assertThat(report.outcome()).isEqualTo(Outcome.STOPPED);
    assertThat(report.error().orElseThrow()).startsWith("stopped on request");
    assertThat(report.status().removedChunks()).isLessThanOrEqualTo(1);
    store.assertExist(used);
    assertThat(store.survivors()).noneMatch(name -> name.endsWith(".tidemark"));
    assertThat(store.base.resolve(".gc-status")).doesNotExist();
    assertThat(store.collectAgain().outcome()).isEqualTo(Outcome.DONE);
    store.assertSurvivors(used);
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(20)
  void stop_requestedAtEachCall_nothingInUseIsLost(Strategy strategy) {
    for (int k = 1; k <= 40; k++) {
      for (String call : new String[] {"openat", "getdents64", "statx"}) {
        store.faults.heal();
        store.faults.run(call, k, store::stop);

        store.collect(options -> options.strategy(strategy).workers(2));

        store.assertExist(used);
      }
    }
    assertThat(store.collectAgain().outcome()).isEqualTo(Outcome.DONE);
    store.assertSurvivors(used);
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(20)
  void stop_requestedDuringTheCheckOfAccessTimes_stopsWithoutWaiting(Strategy strategy) {
    store.faults.run("pwrite", 1, store::stop);

    Report report =
        store.collect(options -> options.strategy(strategy).atimeCheck(Options.AtimeCheckMode.RUN));

    assertThat(report.outcome()).isEqualTo(Outcome.STOPPED);
    assertThat(report.error().orElseThrow()).contains("nothing was removed");
  }

  /* A disk that does not answer: the thread cannot be stopped, so the run leaves it behind. */
  @Test
  @Timeout(20)
  void stop_aTouchHangs_runEndsWithinTwoSeconds() {
    CountDownLatch answer = new CountDownLatch(1);
    long[] requested = {0};
    store.faults.run(
        "utimensat",
        2,
        () -> {
          requested[0] = System.nanoTime();
          store.stop();
          await(answer);
        });

    Report report = store.collect(options -> options.strategy(Strategy.DEFERRED));
    Duration waited = Duration.ofNanos(System.nanoTime() - requested[0]);
    answer.countDown();

    assertThat(report.outcome()).isEqualTo(Outcome.STOPPED);
    assertThat(waited).isLessThan(Duration.ofSeconds(2));
    store.assertExist(used);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
