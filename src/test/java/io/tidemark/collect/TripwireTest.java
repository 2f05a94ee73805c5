package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static io.tidemark.collect.StoreFixture.unchecked;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.guard.Tripwires;
import io.tidemark.guard.Wire;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stores that are not what they were: nothing goes, and the run says what it saw. */
class TripwireTest {
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

  private List<Chunk> chunks(int number, Duration age) {
    List<Chunk> made = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      made.add(store.chunk(age));
    }
    return made;
  }

  private void use(List<Chunk> chunks) {
    store.snapshot(chunks.toArray(Chunk[]::new));
  }

  private void lastCollection(int indexFiles) {
    unchecked(
        () ->
            Files.writeString(
                store.base.resolve(".gc-status"), "{\"index-file-count\":" + indexFiles + "}"));
  }

  private String refused(UnaryOperator<Options.Builder> customisation) {
    NavigableSet<String> before = store.survivors();
    Report report = store.collect(customisation);

    String error = report.error().orElseThrow();
    assertThat(report.outcome()).as(error).isEqualTo(Outcome.REFUSED);
    assertThat(error).contains("nothing was removed", store.base.toString()).doesNotContain("\n");
    assertThat(store.survivors()).isEqualTo(before);
    return error;
  }

  private void collected(UnaryOperator<Options.Builder> customisation) {
    Report report = store.collect(customisation);
    assertThat(report.error()).isEmpty();
    assertThat(report.outcome()).isIn(Outcome.DONE, Outcome.WARNINGS);
  }

  private static UnaryOperator<Options.Builder> with(Strategy strategy, Tripwires wires) {
    return options -> options.strategy(strategy).tripwires(wires);
  }

  @ParameterizedTest
  @EnumSource
  void removal_aboveHalfAfterAnEarlierCollection_refused(Strategy strategy) {
    use(chunks(80, OLD));
    chunks(120, OLD);
    chunks(20, YOUNG);
    lastCollection(1);

    assertThat(refused(options -> options.strategy(strategy)))
        .contains("120 of 220 chunks (54.5 %)", "at most 50 %", "--max-removal 100");
    assertThat(store.base.resolve(".gc-status")).hasContent("{\"index-file-count\":1}");

    collected(with(strategy, Tripwires.STANDARD.withMaxRemoval(55)));
    assertThat(store.survivors()).hasSize(100);
  }

  @ParameterizedTest
  @EnumSource
  void removal_aboveHalfInTheFirstCollection_done(Strategy strategy) {
    use(chunks(80, OLD));
    chunks(120, OLD);

    collected(options -> options.strategy(strategy));
    assertThat(store.survivors()).hasSize(80);
  }

  @ParameterizedTest
  @EnumSource
  void removal_aboveNineTenthsInTheFirstCollection_refused(Strategy strategy) {
    use(chunks(10, OLD));
    chunks(110, OLD);

    assertThat(refused(options -> options.strategy(strategy))).contains("110 of 120", "90 %");
  }

  /* Most are unused, but they are young, and stay. */
  @ParameterizedTest
  @EnumSource
  void removal_mostAreUnusedButYoung_done(Strategy strategy) {
    use(chunks(10, OLD));
    chunks(150, YOUNG);
    chunks(20, OLD);
    lastCollection(1);

    collected(options -> options.strategy(strategy));
    assertThat(store.survivors()).hasSize(160);
  }

  @ParameterizedTest
  @EnumSource
  void removal_nearlyAllOfATinyStore_done(Strategy strategy) {
    use(chunks(1, OLD));
    chunks(99, OLD);
    lastCollection(1);

    collected(options -> options.strategy(strategy));
    assertThat(store.survivors()).hasSize(1);
  }

  @Test
  void removal_ofAStoreLargerThanTheSample_isEstimated() {
    List<Chunk> used = new ArrayList<>();
    for (int i = 0; i < 9_000; i++) {
      Chunk chunk = store.missingIn("0%x00".formatted(i % 16));
      store.file(chunk, "", i % 5 == 0 ? OLD : YOUNG);
      if (i % 5 == 1) {
        used.add(chunk);
      }
    }
    use(used);
    for (int i = 0; i < 16_000; i++) {
      store.file(store.missingIn("0%x00".formatted(i % 16)), "", OLD);
    }
    lastCollection(1);

    String error = refused(options -> options.strategy(Strategy.DEFERRED));

    assertThat(error)
        .containsPattern("about 1\\d{4} of 25000 chunks \\(\\d\\d\\.\\d % by a sample");
    assertThat(store.faults.count("statx")).isLessThan(16_384 + 100);
  }

  @ParameterizedTest
  @EnumSource
  void indexes_moreThanHalfGone_refusedBeforeAnyTouch(Strategy strategy) {
    Chunk used = store.chunk(OLD);
    use(List.of(used));
    lastCollection(10);
    store.remember();

    assertThat(refused(options -> options.strategy(strategy)))
        .contains("has 1 index files, and had 10", "--allow-fewer-indexes");
    store.assertUnchanged();

    collected(with(strategy, Tripwires.STANDARD.without(Wire.FEWER_INDEXES)));
    assertThat(store.used(used)).isAfterOrEqualTo(store.now);
  }

  @Test
  void indexes_lastStatusUnreadable_notCompared() {
    use(chunks(1, OLD));
    unchecked(() -> Files.writeString(store.base.resolve(".gc-status"), "{\"index-"));

    collected(options -> options);
    assertThat(store.lines()).anyMatch(line -> line.contains("index files are not compared"));
  }

  @ParameterizedTest
  @EnumSource
  void missing_moreThanOneInAHundred_refused(Strategy strategy) {
    List<Chunk> required = chunks(90, OLD);
    for (int i = 0; i < 10; i++) {
      required.add(store.missing());
    }
    use(required);
    chunks(3, OLD);

    assertThat(refused(options -> options.strategy(strategy)))
        .contains("10 of 100 chunks (10.0 %)", "do not exist", "--allow-missing");

    collected(with(strategy, Tripwires.STANDARD.without(Wire.MISSING)));
    assertThat(store.survivors()).hasSize(90);
  }

  /* Required by several batches, the chunks that exist are touched again and again. */
  @Test
  void missing_chunksTouchedSeveralTimes_countOnce() {
    List<Chunk> required = chunks(500, OLD);
    for (int i = 0; i < 10; i++) {
      required.add(store.missing());
    }
    use(required);
    use(required);
    use(required);

    assertThat(refused(options -> options.batchSize(600).cacheCapacity(0)))
        .contains("10 of 510 chunks");
  }

  @ParameterizedTest
  @EnumSource
  void directory_lostAmongEvenOnes_refused(Strategy strategy) {
    List<Chunk> required = new ArrayList<>();
    for (int i = 0; i < 16 * 110; i++) {
      Chunk chunk = store.missingIn("%x000".formatted(i % 16));
      if (i % 16 != 5) {
        store.file(chunk, "", OLD);
      }
      required.add(chunk);
    }
    use(required);

    Tripwires wires = Tripwires.STANDARD.without(Wire.MISSING);
    assertThat(refused(with(strategy, wires)))
        .contains("/.chunks/5000 has lost chunks", "110 that are required", "--allow-uneven");

    collected(with(strategy, wires.without(Wire.UNEVEN)));
  }

  @Test
  void several_tripped_areSaidTogether() {
    List<Chunk> required = chunks(20, OLD);
    for (int i = 0; i < 20; i++) {
      required.add(store.missing());
    }
    use(required);
    chunks(200, OLD);
    lastCollection(1);

    assertThat(refused(options -> options))
        .contains("200 of 220", "20 of 40", "--max-removal 100 --allow-missing");
  }

  @Test
  void dryRun_tripped_warnsAndCounts() {
    use(chunks(20, OLD));
    chunks(120, OLD);
    lastCollection(20);
    store.remember();

    Report report = store.collect(options -> options.action(Options.Action.DRY_RUN));

    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
    assertThat(report.status().removedChunks()).isEqualTo(120);
    assertThat(report.warnings())
        .extracting(warning -> warning.id())
        .containsExactly("fewer-indexes", "too-much-to-remove");
    assertThat(report.warnings().getLast().message())
        .isEqualTo(
            "warning: 120 of 140 chunks (85.7 %%) of %s would go, and at most 50 %% may: a collection"
                    .formatted(store.base)
                + " would be refused, unless --max-removal 100 says that it is meant");
    store.assertUnchanged();
  }

  @Test
  void allowEmpty_noIndexFile_allOldChunksMayGo() {
    chunks(150, OLD);
    lastCollection(20);

    collected(options -> options.emptyIndexSet(Options.EmptyIndexSet.ALLOW));
    assertThat(store.survivors()).isEmpty();
  }
}
