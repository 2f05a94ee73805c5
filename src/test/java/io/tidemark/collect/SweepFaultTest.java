package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.unchecked;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.guard.Tripwires;
import io.tidemark.guard.Wire;
import io.tidemark.posix.Errno;
import io.tidemark.report.Warning;
import io.tidemark.store.LockMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens when chunks cannot be looked at, set aside or removed. */
class SweepFaultTest {
  @TempDir private Path temporary;
  private StoreFixture store;
  private Chunk used;

  @BeforeEach
  void make() {
    store = new StoreFixture(temporary);
    used = store.chunk(OLD);
    store.snapshot(used);
  }

  @AfterEach
  void close() {
    store.close();
  }

  static Stream<Arguments> ways() {
    return Arrays.stream(Strategy.values())
        .flatMap(
            strategy -> Arrays.stream(LockMode.values()).map(lock -> Arguments.of(strategy, lock)));
  }

  private Report collect(Strategy strategy, LockMode lock) {
    return store.collect(options -> options.strategy(strategy).lockMode(lock));
  }

  private static String name(Chunk chunk, LockMode lock) {
    return chunk.digest() + (lock == LockMode.SHARED ? ".tidemark" : "");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void unlink_chunkGoneMeanwhile_countedAndNoWarning(Strategy strategy, LockMode lock) {
    Chunk chunk = store.chunk(OLD);
    store.chunk(OLD);
    Path file = lock == LockMode.SHARED ? store.path(chunk, ".tidemark") : store.path(chunk);
    store.faults.before(
        "unlinkat", name(chunk, lock), 1, () -> unchecked(() -> Files.delete(file)));

    Report report = collect(strategy, lock);

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    assertThat(report.gone()).isEqualTo(1);
    assertThat(report.status().removedChunks()).isEqualTo(1);
    store.assertSurvivors(used);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void unlink_notPermittedOnce_warningAndTheOthersGo(Strategy strategy, LockMode lock) {
    Chunk immutable = store.chunk(OLD);
    store.chunk(OLD);
    store.chunk(OLD);
    store.faults.failOn("unlinkat", name(immutable, lock), Errno.EPERM);

    Report report = collect(strategy, lock);

    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
    assertThat(report.warnings())
        .singleElement()
        .extracting(Warning::message)
        .asString()
        .contains("EPERM", store.path(immutable).toString());
    assertThat(report.removeFailures()).isEqualTo(1);
    assertThat(report.status().removedChunks()).isEqualTo(2);
    assertThat(report.status().pendingChunks()).isEqualTo(1);
    store.assertSurvivors(used, immutable);
    store.collectAgain();
    store.assertSurvivors(used);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void unlink_manyFailInARow_failedAndNothingLost(Strategy strategy, LockMode lock) {
    Chunk[] unused = IntStream.range(0, 15).mapToObj(i -> store.chunk(OLD)).toArray(Chunk[]::new);
    store.faults.failFrom("unlinkat", 1, Errno.EPERM);

    Report report = collect(strategy, lock);

    assertThat(report.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.error().orElseThrow()).contains("EPERM", "every chunk in use is kept");
    assertThat(report.removeFailures()).isEqualTo(11);
    store.assertExist(unused);
    store.assertExist(used);
    assertThat(store.base.resolve(".gc-status")).doesNotExist();
    assertThat(store.collectAgain().outcome()).isEqualTo(Outcome.DONE);
    store.assertSurvivors(used);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void unlink_someFailButOthersSucceedBetween_runGoesOn(Strategy strategy, LockMode lock) {
    IntStream.range(0, 30).forEach(i -> store.chunk(OLD));
    for (int k = 1; k <= 15; k++) {
      // A call that one rule lets fail is not seen by the next one: each second call fails.
      store.faults.fail("unlinkat", k, Errno.EBUSY);
    }

    Report report = collect(strategy, lock);

    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
    assertThat(report.status().removedChunks()).isEqualTo(15);
    assertThat(report.removeFailures()).isEqualTo(15);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void unlink_fileSystemReadOnly_failedAtOnce(Strategy strategy, LockMode lock) {
    Chunk first = store.chunk(OLD);
    Chunk second = store.chunk(OLD);
    store.faults.failFrom("unlinkat", 1, Errno.EROFS);

    Report report = collect(strategy, lock);

    assertThat(report.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.error().orElseThrow()).contains("EROFS");
    assertThat(report.removeFailures()).isEqualTo(1);
    store.assertSurvivors(used, first, second);
  }

  @ParameterizedTest
  @EnumSource
  void setAside_notPermittedOnce_warningAndTheOthersGo(Strategy strategy) {
    Chunk immutable = store.chunk(OLD);
    store.chunk(OLD);
    store.faults.failOn("renameat2", immutable.digest(), Errno.EPERM);

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
    assertThat(report.removeFailures()).isEqualTo(1);
    store.assertSurvivors(used, immutable);
  }

  @ParameterizedTest
  @EnumSource
  void setAside_fileSystemReadOnly_failedAtOnce(Strategy strategy) {
    Chunk chunk = store.chunk(OLD);
    store.faults.failFrom("renameat2", 1, Errno.EROFS);

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.FAILED);
    store.assertSurvivors(used, chunk);
  }

  @ParameterizedTest
  @EnumSource
  void putBack_failsAfterAFailedUnlink_nextRunGivesTheNameBack(Strategy strategy) {
    Chunk chunk = store.chunk(OLD);
    store.faults.failOn("unlinkat", chunk.digest(), Errno.EIO);
    store.faults.failOn("renameat2", chunk.digest(), 2, Errno.EIO);

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
    assertThat(report.warnings())
        .extracting(Warning::id)
        .containsExactlyInAnyOrder("put-back-failed", "remove-failed");
    assertThat(store.path(chunk, ".tidemark")).exists();
    store.snapshot(chunk);
    assertThat(store.collectAgain().outcome()).isEqualTo(Outcome.DONE);
    store.assertSurvivors(used, chunk);
  }

  /* NFS does not know RENAME_NOREPLACE. */
  @ParameterizedTest
  @EnumSource
  void putBack_flagUnknownToTheFileSystem_linkTakesItsPlace(Strategy strategy) {
    Chunk chunk = store.chunk(OLD);
    store.faults.failOn("unlinkat", chunk.digest(), 1, Errno.EBUSY);
    store.faults.failOn("renameat2", chunk.digest(), 2, Errno.EINVAL);

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
    store.assertSurvivors(used, chunk);
  }

  @ParameterizedTest
  @EnumSource
  void stat_chunkCannotBeExamined_keptWithAWarning(Strategy strategy) {
    Chunk chunk = store.chunk(OLD);
    store.chunk(OLD);
    store.faults.failOn("statx", chunk.digest(), Errno.EIO);

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
    assertThat(report.warnings()).extracting(Warning::id).containsOnly("stat-failed");
    store.assertSurvivors(used, chunk);
  }

  /* Looked at once, set aside, and then the second look fails. */
  @ParameterizedTest
  @EnumSource
  void stat_chunkSetAsideCannotBeExamined_nameIsGivenBack(Strategy strategy) {
    Chunk chunk = store.chunk(OLD);
    store.faults.failOn("statx", chunk.digest() + ".tidemark", Errno.EIO);

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
    store.assertSurvivors(used, chunk);
  }

  @ParameterizedTest
  @EnumSource
  void open_oneChunkDirectoryFails_runEndsAndNothingInUseIsLost(Strategy strategy) {
    Chunk first = store.missingIn("0001");
    store.file(first, "", OLD);
    Chunk second = store.missingIn("fffe");
    store.file(second, "", OLD);
    store.faults.failOn("openat", "fffe", Errno.EACCES);

    Report report = store.collect(options -> options.strategy(strategy).workers(1));

    assertThat(report.outcome()).isIn(Outcome.REFUSED, Outcome.FAILED);
    assertThat(report.error().orElseThrow()).contains("EACCES", ".chunks/fffe");
    store.assertExist(used, second);
    assertThat(Files.exists(store.path(first))).isEqualTo(report.outcome() == Outcome.REFUSED);
    assertThat(store.collectAgain().outcome()).isEqualTo(Outcome.DONE);
    store.assertSurvivors(used);
  }

  @ParameterizedTest
  @EnumSource
  void statusFile_cannotBeWritten_warningOnly(Strategy strategy) {
    store.chunk(OLD);
    store.faults.failOn("openat", ".gc-status", Errno.ENOSPC);

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
    assertThat(report.warnings()).extracting(Warning::id).containsExactly("status-not-written");
    store.assertSurvivors(used);
  }

  @ParameterizedTest
  @EnumSource
  void warnings_aThousandFailuresOfAKind_hundredAreKeptAndAllCounted(Strategy strategy) {
    Chunk[] missing = IntStream.range(0, 1000).mapToObj(i -> store.missing()).toArray(Chunk[]::new);
    store.snapshot(missing);

    Tripwires wires = Tripwires.STANDARD.without(Wire.MISSING);
    Report report = store.collect(options -> options.strategy(strategy).tripwires(wires));

    assertThat(report.warnings()).hasSize(100);
    assertThat(report.warningCount()).isEqualTo(1000);
    assertThat(report.missingCount()).isEqualTo(1000);
    assertThat(report.missing()).hasSize(1000);
    Map<Boolean, Long> lines =
        store.lines().stream()
            .collect(
                Collectors.partitioningBy(
                    line -> line.contains("non-existent chunk"), Collectors.counting()));
    assertThat(lines.get(true)).isEqualTo(100);
    assertThat(store.lines())
        .contains("1000 warnings of the kind missing-chunk, of which 100 were logged");
  }
}
