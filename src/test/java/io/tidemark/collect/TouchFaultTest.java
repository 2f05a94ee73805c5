package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.posix.Errno;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A touch that fails, other than for want of a chunk, ends the run before the sweep. */
class TouchFaultTest {
  private static final int CHUNKS = 6;

  @TempDir private Path temporary;
  private StoreFixture store;

  @BeforeEach
  void make() {
    store = new StoreFixture(temporary);
  }

  @AfterEach
  void close() {
    store.close();
  }

  static Stream<Arguments> faults() {
    List<Integer> errnos =
        List.of(
            Errno.ENOSPC,
            Errno.EDQUOT,
            Errno.EIO,
            Errno.EROFS,
            Errno.EPERM,
            Errno.EACCES,
            Errno.ESTALE,
            Errno.ETIMEDOUT,
            Errno.EINTR);
    return Arrays.stream(Strategy.values())
        .flatMap(
            strategy ->
                errnos.stream().map(errno -> Arguments.of(strategy, Errno.name(errno), errno)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("faults")
  void touch_failsFirstInTheMiddleOrLast_nothingIsRemoved(
      Strategy strategy, String name, int errno) {
    Chunk[] used = chunks();
    store.chunk(OLD);
    Path index = store.snapshot(used);
    var before = store.survivors();

    for (int k : new int[] {1, CHUNKS / 2, CHUNKS}) {
      for (int workers : new int[] {1, 3}) {
        store.faults.heal();
        store.faults.failFrom("nameToHandleAt", 1, Errno.EOPNOTSUPP).fail("utimensat", k, errno);

        Report report =
            store.collect(options -> options.strategy(strategy).batchSize(2).workers(workers));

        assertThat(report.outcome()).as("touch %d", k).isEqualTo(Outcome.REFUSED);
        assertThat(report.error().orElseThrow())
            .contains(name, index.toString(), "nothing was removed", store.base + "/.chunks/")
            .doesNotContain("\n");
        assertThat(used)
            .anyMatch(chunk -> report.error().orElseThrow().contains(store.path(chunk) + ""));
        assertThat(store.survivors()).isEqualTo(before);
        assertThat(report.status().removedChunks()).isZero();
      }
    }
    assertThat(store.collectAgain().outcome()).isEqualTo(Outcome.DONE);
    store.assertSurvivors(used);
  }

  /* By handle, where that works: a touch that fails is tried again by name, and fails for good. */
  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("faults")
  void touch_failsFromSomeOneOn_nothingIsRemoved(Strategy strategy, String name, int errno) {
    Chunk[] used = chunks();
    store.chunk(OLD);
    Path index = store.snapshot(used);
    var before = store.survivors();

    for (int k : new int[] {1, CHUNKS / 2, CHUNKS}) {
      store.faults.heal();
      store.faults.failFrom("utimensat", k, errno);

      Report report = store.collect(options -> options.strategy(strategy).workers(1));

      assertThat(report.outcome()).as("touch %d", k).isEqualTo(Outcome.REFUSED);
      assertThat(report.error().orElseThrow()).contains(name, index.toString());
      assertThat(store.survivors()).isEqualTo(before);
    }
  }

  private Chunk[] chunks() {
    return IntStream.range(0, CHUNKS).mapToObj(i -> store.chunk(OLD)).toArray(Chunk[]::new);
  }

  @ParameterizedTest
  @EnumSource
  void touch_lastOneOfTheOnlyBatchFails_nothingIsRemoved(Strategy strategy) {
    store.snapshot(chunks());
    store.chunk(OLD);
    var before = store.survivors();
    store.faults.failFrom("nameToHandleAt", 1, Errno.EOPNOTSUPP);
    store.faults.fail("utimensat", CHUNKS, Errno.EIO);

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(store.survivors()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void touch_corruptCopyOfAMissingChunkFails_nothingIsRemoved(Strategy strategy) {
    Chunk missing = store.chunk(OLD, ".3.bad");
    store.snapshot(store.chunk(OLD), missing);
    store.chunk(OLD);
    var before = store.survivors();
    store.faults.failOn("utimensat", ".3.bad", Errno.EIO);

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow()).contains("EIO", missing.digest());
    assertThat(store.survivors()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void touch_oneChunkMissing_warningAndTheRestIsCollected(Strategy strategy) {
    Chunk used = store.chunk(OLD);
    Chunk missing = store.missing();
    store.chunk(OLD);
    Path index = store.snapshot(used, missing, used, missing);

    Report report = store.collect(options -> options.strategy(strategy).cacheCapacity(0));

    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
    store.assertSurvivors(used);
    assertThat(report.warningCount()).isEqualTo(1);
    assertThat(report.warnings())
        .singleElement()
        .satisfies(
            warning -> {
              assertThat(warning.id()).isEqualTo("missing-chunk");
              assertThat(warning.message())
                  .isEqualTo(
                      "warning: unable to access non-existent chunk %s, required by \"%s\""
                          .formatted(missing.digest(), index));
            });
  }
}
