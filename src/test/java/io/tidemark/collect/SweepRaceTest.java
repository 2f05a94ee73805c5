package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.unchecked;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.guard.Tripwires;
import io.tidemark.store.LockMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A backup finds an old unused chunk while the sweep is about to remove it. */
class SweepRaceTest {
  @TempDir private Path temporary;
  private StoreFixture store;
  private Chunk used;
  private Chunk chunk;
  private Chunk other;

  @BeforeEach
  void make() {
    store = new StoreFixture(temporary);
    used = store.chunk(OLD);
    chunk = store.chunk(OLD);
    other = store.chunk(OLD);
    store.snapshot(used);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void assertSpared(Report report) {
    assertThat(report.error()).isEmpty();
    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    assertThat(report.status().removedChunks()).isEqualTo(1);
    assertThat(report.status().diskChunks()).isEqualTo(2);
    store.assertSurvivors(used, chunk);
    assertThat(store.path(other)).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource
  void chunk_touchedBeforeItIsLookedAt_stays(Strategy strategy) {
    store.faults.before("statx", chunk.digest(), 1, () -> store.touch(chunk));
    assertSpared(store.collect(strategy));
  }

  @ParameterizedTest
  @EnumSource
  void chunk_touchedBetweenVerdictAndRename_stays(Strategy strategy) {
    store.faults.before("renameat2", chunk.digest(), 1, () -> store.touch(chunk));
    assertSpared(store.collect(strategy));
  }

  /* Whoever had opened it before may still touch it. */
  @ParameterizedTest
  @EnumSource
  void chunk_touchedWhileItIsAside_getsItsNameBack(Strategy strategy) {
    store.faults.before(
        "statx",
        chunk.digest() + ".tidemark",
        1,
        () ->
            unchecked(
                () ->
                    Files.setAttribute(
                        store.path(chunk, ".tidemark"),
                        "lastAccessTime",
                        FileTime.from(Instant.now()))));
    assertSpared(store.collect(strategy));
  }

  @ParameterizedTest
  @EnumSource
  void chunk_touchedBeforeTheSecondLookWithoutRename_stays(Strategy strategy) {
    store.faults.before("statx", chunk.digest(), 2, () -> store.touch(chunk));
    assertSpared(store.collect(options -> options.strategy(strategy).lockMode(LockMode.EXCLUSIVE)));
  }

  @ParameterizedTest
  @EnumSource
  void chunk_writtenAnewWhileItIsAside_newOneStays(Strategy strategy) {
    store.faults.before(
        "unlinkat",
        chunk.digest() + ".tidemark",
        1,
        () -> store.file(chunk, "", Duration.ofSeconds(-1)));

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    store.assertSurvivors(used, chunk);
    assertThat(store.used(chunk)).isEqualTo(store.now.plusSeconds(1));
  }

  @ParameterizedTest
  @EnumSource
  void chunk_touchedAndWrittenAnewWhileItIsAside_newOneStaysAlone(Strategy strategy) {
    store.faults.before(
        "statx",
        chunk.digest() + ".tidemark",
        1,
        () -> {
          store.file(chunk, ".tidemark", Duration.ofSeconds(-5));
          store.file(chunk, "", Duration.ofSeconds(-1));
        });

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    store.assertSurvivors(used, chunk);
    assertThat(store.used(chunk)).isEqualTo(store.now.plusSeconds(1));
  }

  @ParameterizedTest
  @EnumSource
  void chunk_goneBeforeItIsLookedAt_countedAsGone(Strategy strategy) {
    store.faults.before(
        "statx", chunk.digest(), 1, () -> unchecked(() -> Files.delete(store.path(chunk))));

    // Without the sample, whose look at the chunk would be the first.
    Tripwires wires = Tripwires.STANDARD.withMaxRemoval(100);
    Report report = store.collect(options -> options.strategy(strategy).tripwires(wires));

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    assertThat(report.gone()).isEqualTo(1);
    store.assertSurvivors(used);
  }

  /* A verification renames a corrupt chunk between the look and the rename. */
  @ParameterizedTest
  @EnumSource
  void chunk_renamedAsCorruptBeforeItIsSetAside_countedAsGone(Strategy strategy) {
    store.faults.before(
        "renameat2",
        chunk.digest(),
        1,
        () -> unchecked(() -> Files.move(store.path(chunk), store.path(chunk, ".0.bad"))));

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    assertThat(report.gone()).isEqualTo(1);
    assertThat(store.path(chunk, ".0.bad")).exists();
  }

  @ParameterizedTest
  @EnumSource
  void corruptCopy_touchedBetweenVerdictAndUnlink_stays(Strategy strategy) {
    Chunk corrupt = store.chunk(OLD, ".0.bad");
    store.faults.before(
        "statx", ".0.bad", 2, () -> store.file(corrupt, ".0.bad", Duration.ofSeconds(-1)));

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    assertThat(report.status().removedBad()).isZero();
    assertThat(store.path(corrupt, ".0.bad")).exists();
  }

  /* Sets aside, unlinks and looks only by the name of a corrupt copy: put back, it would pass. */
  @ParameterizedTest
  @EnumSource
  void corruptCopy_removed_neverHasTheNameOfAChunk(Strategy strategy) {
    store.chunk(OLD, ".0.bad");
    long before = store.faults.count("renameat2");

    Report report = store.collect(strategy);

    assertThat(report.status().removedBad()).isEqualTo(1);
    // Two chunks are set aside, and the status file is renamed into place.
    assertThat(store.faults.count("renameat2") - before).isEqualTo(3);
  }
}
