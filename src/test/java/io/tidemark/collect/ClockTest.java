package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.report.Point;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cutoff is fixed before the first touch, whatever the clocks do afterwards. */
class ClockTest {
  @TempDir private Path temporary;
  private StoreFixture store;
  private Chunk used;
  private Chunk young;

  @BeforeEach
  void make() {
    store = new StoreFixture(temporary);
    used = store.chunk(OLD);
    young = store.chunk(YOUNG);
    store.chunk(OLD);
    store.snapshot(used);
  }

  @AfterEach
  void close() {
    store.close();
  }

  /* The index file is opened in the mark, after the cutoff was fixed. */
  private void during(Runnable action) {
    store.faults.before("openat", "disk.fidx", 1, action);
  }

  @ParameterizedTest
  @EnumSource
  void mark_takesLongerThanTheGraceTime_decisionsAreThoseOfTheStart(Strategy strategy) {
    during(() -> store.clock.pass(Duration.ofHours(30)));

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    assertThat(report.minimumAtime()).contains(store.now.minusSeconds(86_700));
    store.assertSurvivors(used, young);
  }

  @ParameterizedTest
  @EnumSource
  void clock_jumpsForwardsInTheMark_decisionsAreUnchanged(Strategy strategy) {
    during(() -> store.clock.jump(Duration.ofDays(2)));

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    store.assertSurvivors(used, young);
  }

  @ParameterizedTest
  @EnumSource
  void clock_setBackInTheMark_refused(Strategy strategy) {
    during(() -> store.clock.jump(Duration.ofHours(-2)));
    var before = store.survivors();

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow()).contains("set back by 2h", "nothing was removed");
    assertThat(store.survivors()).isEqualTo(before);
  }

  /* What was touched meanwhile looks old, and at the end of the mark the clock is right again. */
  @ParameterizedTest
  @EnumSource
  void clock_setBackInTheMarkAndPutRight_refused(Strategy strategy) {
    during(() -> store.clock.jump(Duration.ofHours(-2)));
    store.watch(
        point -> {
          if (point == Point.INDEX_READ) {
            store.clock.jump(Duration.ofHours(2));
          }
        });
    var before = store.survivors();

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow()).contains("set back by 2h", "nothing was removed");
    assertThat(store.survivors()).isEqualTo(before);
  }

  /* What a backup touches from then on looks old. */
  @ParameterizedTest
  @EnumSource
  void clock_setBackBeforeARemoval_refused(Strategy strategy) {
    store.watch(
        point -> {
          if (point == Point.BEFORE_SWEEP) {
            store.clock.jump(Duration.ofHours(-2));
          }
        });
    var before = store.survivors();

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow()).contains("set back by 2h", "nothing was removed");
    assertThat(store.survivors()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void clock_correctedByASecond_runGoesOn(Strategy strategy) {
    during(() -> store.clock.jump(Duration.ofSeconds(-1)));

    assertThat(store.collect(strategy).outcome()).isEqualTo(Outcome.DONE);
  }

  /* With a grace time of a minute, a minute back would make used chunks look unused. */
  @ParameterizedTest
  @EnumSource
  void clock_setBackByMoreThanAShortGraceTime_refused(Strategy strategy) {
    during(() -> store.clock.jump(Duration.ofSeconds(-61)));

    Report report = store.collect(options -> options.strategy(strategy).graceMinutes(1));

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    store.assertExist(used);
  }

  @ParameterizedTest
  @EnumSource
  void cutoff_printedOnce_fixedBeforeTheMark(Strategy strategy) {
    store.collect(strategy);

    assertThat(store.lines())
        .containsSubsequence(
            "Using access time cutoff 1d 5m, minimum access time is "
                + store.now.minusSeconds(86_700),
            "Start GC phase1 (mark used chunks)",
            "Start GC phase2 (sweep unused chunks)")
        .filteredOn(line -> line.startsWith("Using access time cutoff"))
        .hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void graceTime_oneMinute_youngChunkGoesToo(Strategy strategy) {
    Chunk fresh = store.chunk(Duration.ofSeconds(60));
    store.chunk(Duration.ofSeconds(61));

    store.collect(options -> options.strategy(strategy).graceMinutes(1));

    store.assertSurvivors(used, fresh);
  }

  @ParameterizedTest
  @EnumSource
  void graceTime_configuredOnTheServer_isUsed(Strategy strategy) {
    store.configure(
        "datastore: shop\n\tpath %s\n\ttuning gc-atime-cutoff=120\n".formatted(store.base));

    Report report = store.collect(strategy);

    assertThat(report.minimumAtime()).contains(store.now.minus(Duration.ofHours(2)));
    store.assertSurvivors(used);
  }
}
