package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.posix.Errno;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run that ends between setting a chunk aside and removing it leaves nothing that is lost. */
class CrashTest {
  @TempDir private Path temporary;
  private StoreFixture store;
  private Chunk used;
  private Chunk aside;

  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @BeforeEach
  void make() {
    store = new StoreFixture(temporary);
    used = store.chunk(OLD);
    aside = store.chunk(OLD);
    store.snapshot(used);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void crash(Strategy strategy) {
    store.faults.before(
        "unlinkat",
        aside.digest() + ".tidemark",
        1,
        () -> {
          throw new Crash();
        });
    Report report = store.collect(strategy);
    assertThat(report.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(store.path(aside, ".tidemark")).exists();
    assertThat(store.path(aside)).doesNotExist();
    store.faults.heal();
  }

  @ParameterizedTest
  @EnumSource
  void chunkSetAside_nobodyNeedsIt_nextRunRemovesIt(Strategy strategy) {
    crash(strategy);

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    assertThat(report.status().removedChunks()).isEqualTo(1);
    store.assertSurvivors(used);
  }

  @ParameterizedTest
  @EnumSource
  void chunkSetAside_snapshotNeedsItMeanwhile_nextRunGivesTheNameBack(Strategy strategy) {
    crash(strategy);
    store.snapshot(used, aside);

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    assertThat(report.missingCount()).isZero();
    store.assertSurvivors(used, aside);
    assertThat(store.used(aside)).isAfterOrEqualTo(store.now);
  }

  @ParameterizedTest
  @EnumSource
  void chunkSetAside_writtenAnewMeanwhile_oldCopyIsDropped(Strategy strategy) {
    crash(strategy);
    store.file(aside, "", YOUNG);

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    assertThat(report.status().pendingChunks()).isEqualTo(1);
    store.assertSurvivors(used, aside);
  }

  @ParameterizedTest
  @EnumSource
  void chunkSetAside_dryRunNext_countsItAsRemovedAndLeavesIt(Strategy strategy) {
    crash(strategy);
    store.remember();

    Report report =
        store.collect(options -> options.strategy(strategy).action(Options.Action.DRY_RUN));

    assertThat(report.status().removedChunks()).isEqualTo(1);
    store.assertUnchanged();
  }

  @ParameterizedTest
  @EnumSource
  void chunkSetAside_nameCannotBeGivenBackAndSnapshotNeedsIt_nothingIsRemoved(Strategy strategy) {
    crash(strategy);
    store.snapshot(used, aside);
    Chunk unused = store.chunk(OLD);
    store.faults.failOn("renameat2", aside.digest(), Errno.EIO);

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow()).contains("EIO", aside.digest());
    store.assertExist(used, unused);
    assertThat(store.path(aside, ".tidemark")).exists();
    assertThat(store.collectAgain().outcome()).isEqualTo(Outcome.DONE);
    store.assertSurvivors(used, aside);
  }

  @ParameterizedTest
  @EnumSource
  void run_brokenOffAgainAndAgain_endsLikeOneUninterrupted(Strategy strategy) {
    Chunk[] unused = new Chunk[12];
    for (int i = 0; i < unused.length; i++) {
      unused[i] = store.chunk(OLD);
    }
    for (int k = 1; k <= 10; k++) {
      store.faults.heal();
      store.faults.before(
          k % 2 == 0 ? "unlinkat" : "renameat2",
          "",
          k % 3 + 1,
          () -> {
            throw new Crash();
          });
      store.collect(strategy);
      store.assertExist(used);
    }

    assertThat(store.collectAgain().outcome()).isEqualTo(Outcome.DONE);
    store.assertSurvivors(used);
  }
}
