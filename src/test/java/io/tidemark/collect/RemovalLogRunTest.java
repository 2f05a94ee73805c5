package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.guard.Tripwires;
import io.tidemark.log.Fate;
import io.tidemark.log.LoggedRemoval;
import io.tidemark.log.RemovalSearch;
import io.tidemark.posix.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a collection writes into its removal log, and when. */
class RemovalLogRunTest {
  @TempDir private Path temporary;
  private StoreFixture store;
  private Path file;

  @BeforeEach
  void make() {
    store = new StoreFixture(temporary);
    file = temporary.resolve("removals.gz");
    store.snapshot(store.chunk(OLD));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Report collect(UnaryOperator<Options.Builder> customisation) {
    return store.collect(options -> customisation.apply(options.removalLog(file.toString())));
  }

  private Map<String, Fate> fates() {
    Map<String, Fate> fates = new HashMap<>();
    List<LoggedRemoval> entries = new ArrayList<>();
    try {
      assertThat(new RemovalSearch(entry -> true, entries::add).read(file)).isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    entries.forEach(entry -> fates.put(entry.name(), entry.fate()));
    assertThat(fates).hasSameSizeAs(entries);
    return fates;
  }

  @ParameterizedTest
  @EnumSource
  void removals_all_areWrittenDown(Strategy strategy) {
    Map<String, Fate> expected = new HashMap<>();
    for (int i = 0; i < 30; i++) {
      Chunk chunk = store.missingIn("0a%x0".formatted(i % 3));
      store.file(chunk, "", OLD);
      expected.put(chunk.digest(), Fate.REMOVED);
    }
    expected.put(store.chunk(OLD, ".2.bad").digest() + ".2.bad", Fate.REMOVED);
    store.chunk(YOUNG);

    Report report = collect(options -> options.strategy(strategy).workers(4));

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    assertThat(fates()).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void removal_ofTheFirstOfADirectory_allOfThemAreWrittenDown(Strategy strategy) {
    List<Chunk> unused = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      unused.add(store.missingIn("0a0a"));
      store.file(unused.getLast(), "", OLD);
    }
    Map<String, Fate> seen = new HashMap<>();
    store.faults.run("renameat2", 1, () -> seen.putAll(fates()));

    collect(options -> options.strategy(strategy));

    assertThat(seen)
        .hasSize(5)
        .allSatisfy((name, fate) -> assertThat(fate).isEqualTo(Fate.UNCONFIRMED));
    assertThat(fates()).hasSize(5).doesNotContainValue(Fate.UNCONFIRMED);
  }

  @ParameterizedTest
  @EnumSource
  void removals_thatDidNotHappen_areToldApart(Strategy strategy) {
    Chunk gone = store.chunk(OLD);
    Chunk touched = store.chunk(OLD);
    Chunk stuck = store.chunk(OLD);
    Chunk removed = store.chunk(OLD);
    store.faults.before(
        "renameat2",
        gone.digest(),
        1,
        () -> store.remove(".chunks/" + gone.directory() + "/" + gone.digest()));
    store.faults.before("renameat2", touched.digest(), 1, () -> store.touch(touched));
    store.faults.failOn("unlinkat", stuck.digest(), Errno.EPERM);

    Report report = collect(options -> options.strategy(strategy));

    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
    assertThat(fates())
        .isEqualTo(
            Map.of(
                gone.digest(), Fate.GONE,
                touched.digest(), Fate.TOUCHED,
                stuck.digest(), Fate.FAILED,
                removed.digest(), Fate.REMOVED));
  }

  @ParameterizedTest
  @EnumSource
  void stop_inABatch_theRestIsUntried(Strategy strategy) {
    for (int i = 0; i < 5; i++) {
      store.file(store.missingIn("0a0a"), "", OLD);
    }
    store.faults.run("unlinkat", 2, store::stop);

    Report report = collect(options -> options.strategy(strategy).workers(1));

    assertThat(report.outcome()).isEqualTo(Outcome.STOPPED);
    assertThat(fates().values())
        .containsExactlyInAnyOrder(
            Fate.REMOVED, Fate.REMOVED, Fate.UNTRIED, Fate.UNTRIED, Fate.UNTRIED);
  }

  /* The first write notes the run, the second one the first batch. */
  @ParameterizedTest
  @EnumSource
  void log_noSpaceForTheFirstBatch_refusedAndNothingRemoved(Strategy strategy) {
    Chunk unused = store.chunk(OLD);
    store.faults.failFrom("pwrite", 2, Errno.ENOSPC);

    Report report = collect(options -> options.strategy(strategy));

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow())
        .contains("cannot write the removal log " + file, "ENOSPC", "nothing was removed");
    store.assertExist(unused);
  }

  @ParameterizedTest
  @EnumSource
  void log_noSpaceLater_failedAndTheOthersStay(Strategy strategy) {
    for (int i = 0; i < 3; i++) {
      store.file(store.missingIn("0a%02x".formatted(i)), "", OLD);
    }
    store.faults.failFrom("pwrite", 3, Errno.ENOSPC);

    Report report = collect(options -> options.strategy(strategy).workers(1));

    assertThat(report.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.error().orElseThrow()).contains("ENOSPC", "1 chunks had been removed");
    assertThat(store.survivors()).hasSize(3);
  }

  @Test
  void log_cannotBeOpened_refusedBeforeAnyTouch() {
    file = temporary.resolve("none/removals.gz");
    store.chunk(OLD);
    store.remember();

    Report report = collect(options -> options);

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow()).contains(file.toString(), "ENOENT");
    store.assertUnchanged();
  }

  @Test
  void dryRun_withALog_writesNone() {
    store.chunk(OLD);
    assertThat(collect(options -> options.action(Options.Action.DRY_RUN)).outcome())
        .isEqualTo(Outcome.DONE);
    assertThat(file).doesNotExist();
  }

  @Test
  void directory_withMoreThanABatch_isWrittenInSeveral() {
    for (int i = 0; i < 1500; i++) {
      store.file(store.missingIn("0a0a"), "", OLD);
      if (i % 10 == 0) {
        store.snapshot(store.chunk(OLD));
      }
    }
    Report report = collect(options -> options.tripwires(Tripwires.STANDARD.withMaxRemoval(100)));
    assertThat(report.status().removedChunks()).isEqualTo(1500);
    assertThat(fates()).hasSize(1500).doesNotContainValue(Fate.UNCONFIRMED);
  }
}
