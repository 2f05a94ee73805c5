package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.plan.Basis;
import io.tidemark.plan.Estimate;
import io.tidemark.plan.Measure;
import io.tidemark.report.Point;
import io.tidemark.report.StopToken;
import io.tidemark.store.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans of small stores, beside what a collection then does. */
class PlannerTest {
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

  private PlanReport plan(PlanOptions.Depth depth) {
    PlanOptions options =
        new PlanOptions(
            store.options(run -> run.action(Options.Action.DRY_RUN)),
            depth,
            PlanOptions.DEFAULT_TIME);
    return new Planner(options, store.environment(), new StopToken()).plan();
  }

  /* In use, 40 of them old; old garbage; young garbage. */
  private Path fill() {
    List<Chunk> used = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      used.add(store.chunk(i < 40 ? OLD : YOUNG));
    }
    for (int i = 0; i < 25; i++) {
      store.chunk(OLD);
    }
    for (int i = 0; i < 10; i++) {
      store.chunk(YOUNG.plusMinutes(i));
    }
    return store.snapshot(used.toArray(Chunk[]::new));
  }

  private static Estimate of(long chunks, long all) {
    return Estimate.exactly(chunks, chunks * StoreFixture.CHUNK_BYTES, all);
  }

  @Test
  void sample_ofSmallStore_tellsExactlyWhatACollectionFrees() {
    fill();

    PlanReport plan = plan(PlanOptions.Depth.SAMPLE);
    Report collected = store.collect();

    assertThat(plan.basis()).isEqualTo(Basis.REFERENCES);
    assertThat(plan.estimate(Measure.PRESENT)).isEqualTo(of(95, 95));
    assertThat(plan.estimate(Measure.FREED)).isEqualTo(of(25, 95));
    assertThat(plan.estimate(Measure.PENDING)).isEqualTo(of(10, 95));
    assertThat(collected.status().removedChunks()).isEqualTo(25);
    assertThat(collected.status().pendingChunks()).isEqualTo(10);
  }

  @Test
  void exact_tellsWhatADryRunTells() {
    fill();
    store.file(store.missing(), ".0.bad", OLD);
    store.index("vm/100/2026-02-01T00:00:00Z/more.didx", store.missing(), store.missing());

    Report dry = store.collect(options -> options.action(Options.Action.DRY_RUN));
    PlanReport plan = plan(PlanOptions.Depth.EVERYTHING);

    assertThat(plan.basis()).isEqualTo(Basis.EVERYTHING);
    assertThat(plan.estimate(Measure.FREED))
        .isEqualTo(Estimate.exactly(dry.status().removedChunks(), dry.status().removedBytes(), 95));
    assertThat(plan.estimate(Measure.PENDING))
        .isEqualTo(Estimate.exactly(dry.status().pendingChunks(), dry.status().pendingBytes(), 95));
    assertThat(plan.missing()).hasValue(2).hasValue(dry.missingCount());
  }

  @Test
  void pending_goFromWhenTheirGraceTimeEnds() {
    fill();

    for (PlanOptions.Depth depth : PlanOptions.Depth.values()) {
      PlanReport plan = plan(depth);

      long now = store.now.getEpochSecond();
      assertThat(plan.graceSeconds()).isEqualTo(1445 * 60);
      assertThat(plan.pending().youngest()).isEqualTo(now - YOUNG.toSeconds());
      assertThat(plan.pending().oldest()).isEqualTo(now - YOUNG.plusMinutes(9).toSeconds());
    }
  }

  @Test
  void plan_writesAndLocksNothing() throws IOException {
    Path index = fill();
    FileTime used = FileTime.from(Instant.parse("2025-03-03T03:03:03Z"));
    Files.getFileAttributeView(index, BasicFileAttributeView.class).setTimes(null, used, null);
    store.remember();

    plan(PlanOptions.Depth.SAMPLE);
    plan(PlanOptions.Depth.EVERYTHING);

    store.assertUnchanged();
    assertThat(store.used(index)).isEqualTo(used.toInstant());
    for (String call : List.of("utimensat", "unlinkat", "renameat2", "flock", "syncfs", "linkat")) {
      assertThat(store.faults.count(call)).as(call).isZero();
    }
  }

  @Test
  void timeThatDoesNotReachForTheIndexFiles_leavesAccessTimes() {
    Chunk chunk = store.chunk(YOUNG);
    store.snapshot(Collections.nCopies(40_000, chunk).toArray(Chunk[]::new));
    fill();
    store.watch(
        point -> {
          if (point == Point.INDEX_OPENED) {
            store.clock.pass(Duration.ofHours(1));
          }
        });

    PlanReport plan = plan(PlanOptions.Depth.SAMPLE);

    assertThat(plan.basis()).isEqualTo(Basis.ACCESS_TIMES);
    assertThat(plan.estimates()).containsOnlyKeys(Measure.PRESENT, Measure.OLD);
    assertThat(plan.looked().visited()).isPositive();
  }

  @Test
  void startOfTheLastCollection_tellsWhatIsGarbageWithoutIndexFiles() throws IOException {
    Chunk chunk = store.chunk(YOUNG);
    store.snapshot(Collections.nCopies(40_000, chunk).toArray(Chunk[]::new));
    store.chunk(Duration.ofDays(4));
    store.chunk(Duration.ofDays(4));
    store.chunk(Duration.ofDays(2));
    long started = store.now.minus(Duration.ofDays(3)).getEpochSecond();
    Files.writeString(
        store.base.resolve(".gc-status"),
        "{\"upid\":\"UPID:pbs:0001:0002:0003:%X:garbage_collection:a:root@pam:\"}"
            .formatted(started));
    store.watch(
        point -> {
          if (point == Point.INDEX_OPENED) {
            store.clock.pass(Duration.ofHours(1));
          }
        });

    PlanReport plan = plan(PlanOptions.Depth.SAMPLE);

    assertThat(plan.last()).isPresent();
    assertThat(plan.estimate(Measure.UNMARKED).chunks().estimate()).isPositive();
    assertThat(plan.estimate(Measure.OLD).chunks().estimate())
        .isGreaterThan(plan.estimate(Measure.UNMARKED).chunks().estimate());
  }

  @Test
  void indexFileThatWasMoved_isReadThoughTheJournalIsNotLocked() throws IOException {
    fill();
    Path moved = temporary.resolve("elsewhere").resolve("moved.fidx");
    Files.move(store.index("moved.fidx", store.chunk(OLD)), createFolder(moved));
    Path journal = Path.of(store.host.run(), "locks", "store", "move-journal");
    Files.writeString(createFolder(journal), moved + "\n");

    PlanReport plan = plan(PlanOptions.Depth.SAMPLE);

    assertThat(plan.estimate(Measure.FREED)).isEqualTo(of(25, 96));
    assertThat(store.faults.count("flock")).isZero();
  }

  private static Path createFolder(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    return file;
  }

  @Test
  void placeThatIsNoDatastore_isRefused() throws IOException {
    store.remove(".chunks");

    assertThatThrownBy(() -> plan(PlanOptions.Depth.SAMPLE))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("is not a datastore");
  }
}
