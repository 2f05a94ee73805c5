package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.guard.Tripwires;
import io.tidemark.guard.Wire;
import io.tidemark.report.Point;
import io.tidemark.store.LockMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run passes the boundaries between its steps one by one, and ends where it is told to. */
class PointsTest {
  private static final List<Point> START =
      List.of(Point.LOCKED, Point.DISCOVERED, Point.CHECKED, Point.CUTOFF_FIXED);

  private static final List<Point> REMOVAL =
      List.of(Point.BEFORE_REMOVAL, Point.SET_ASIDE, Point.BEFORE_UNLINK, Point.UNLINKED);

  private static final List<Point> END = List.of(Point.SWEPT, Point.BEFORE_STATUS, Point.FINISHED);

  @TempDir private Path temporary;
  private StoreFixture store;
  private Chunk used;
  private Chunk unused;
  private final List<Point> passed = Collections.synchronizedList(new ArrayList<>());

  /* Two index files of one chunk each, and one chunk that goes; all in directories of their own. */
  @BeforeEach
  void make() {
    store = new StoreFixture(temporary);
    used = store.chunk(OLD);
    Chunk other = store.chunk(OLD);
    unused = store.chunk(OLD);
    store.snapshot(used);
    store.index("stray.fidx", other);
    store.watch(passed::add);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void collect(UnaryOperator<Options.Builder> options) {
    Report report = store.collect(builder -> options.apply(builder.workers(1).batchSize(1)));
    assertThat(report.error()).isEmpty();
  }

  private static List<Point> reading(Point... onceFull) {
    List<Point> points = new ArrayList<>();
    points.add(Point.GROUP_LISTED);
    points.addAll(List.of(Point.BEFORE_INDEX, Point.INDEX_OPENED, Point.INDEX_READ));
    points.addAll(List.of(Point.BEFORE_LEFT_OVER, Point.BEFORE_INDEX, Point.INDEX_OPENED));
    points.addAll(List.of(onceFull));
    points.addAll(List.of(Point.INDEX_READ, Point.BEFORE_JOURNAL, Point.INDEXES_READ));
    return points;
  }

  private static List<Point> joined(Stream<List<Point>> parts) {
    return parts.flatMap(List::stream).toList();
  }

  /* A round for each 512 directories says nothing, so repetitions are dropped. */
  private List<Point> passedOnce(Set<Point> left) {
    List<Point> points = new ArrayList<>();
    for (Point point : passed) {
      if (!left.contains(point)) {
        points.add(point);
      }
    }
    return points;
  }

  /* The full sweep lists four directories: three with a chunk and that of the check. */
  @ParameterizedTest
  @EnumSource(names = {"IMMEDIATE", "PREFETCH", "DEFERRED"})
  void run_sweepingAll_passesItsPointsInOrder(Strategy strategy) {
    collect(options -> options.strategy(strategy));

    List<Point> prefetch = strategy == Strategy.PREFETCH ? List.of(Point.PREFETCHED) : List.of();
    List<Point> flush = List.of(Point.BEFORE_FLUSH, Point.AFTER_FLUSH);
    boolean deferred = strategy == Strategy.DEFERRED;
    assertThat(passedOnce(EnumSet.of(Point.DIRECTORY_LISTED)))
        .containsExactlyElementsOf(
            joined(
                Stream.of(
                    START,
                    prefetch,
                    deferred ? reading(Point.BEFORE_FLUSH, Point.AFTER_FLUSH) : reading(),
                    deferred ? flush : List.of(),
                    List.of(Point.MARKED, Point.BEFORE_SWEEP),
                    REMOVAL,
                    END)));
    assertThat(Collections.frequency(passed, Point.DIRECTORY_LISTED)).isEqualTo(4);
    assertThat(passed.indexOf(Point.DIRECTORY_LISTED))
        .isGreaterThan(passed.indexOf(Point.BEFORE_SWEEP));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORDERED", "AUTO"})
  void run_inInodeOrder_passesItsPointsInOrder(Strategy strategy) {
    collect(options -> options.strategy(strategy).window(Window.ALL));

    assertThat(
            passedOnce(EnumSet.of(Point.BEFORE_ROUND, Point.AFTER_ROUND, Point.DIRECTORY_LISTED)))
        .containsExactlyElementsOf(
            joined(
                Stream.of(
                    START,
                    reading(),
                    List.of(Point.BEFORE_TOUCH_PASS, Point.AFTER_TOUCH_PASS),
                    List.of(Point.MARKED, Point.BEFORE_SWEEP),
                    REMOVAL,
                    END)));
    assertThat(Collections.frequency(passed, Point.BEFORE_ROUND)).isEqualTo(128);
    assertThat(Collections.frequency(passed, Point.AFTER_ROUND)).isEqualTo(128);
    assertThat(Collections.frequency(passed, Point.DIRECTORY_LISTED)).isEqualTo(4);
    assertThat(passed.indexOf(Point.BEFORE_ROUND))
        .isGreaterThan(passed.indexOf(Point.INDEXES_READ))
        .isLessThan(passed.indexOf(Point.DIRECTORY_LISTED));
    assertThat(passed.lastIndexOf(Point.AFTER_ROUND))
        .isLessThan(passed.indexOf(Point.BEFORE_TOUCH_PASS));
  }

  @Test
  void run_withWindowsOfOneChunk_passesATouchPassForEach() {
    collect(options -> options.strategy(Strategy.ORDERED).window(Window.of(1)));

    // Two windows of one chunk, the unused one by handle, and the empty one at the end.
    assertThat(Collections.frequency(passed, Point.BEFORE_TOUCH_PASS)).isIn(3, 4);
    assertThat(Collections.frequency(passed, Point.AFTER_TOUCH_PASS))
        .isEqualTo(Collections.frequency(passed, Point.BEFORE_TOUCH_PASS));
  }

  @Test
  void run_withMoreReferencesThanMemory_passesThePointOfEachSpilledRun() {
    store.index(
        "many.fidx", IntStream.range(0, 12_000).mapToObj(number -> store.missing()).toList());

    Tripwires wires = new Tripwires(OptionalInt.empty(), EnumSet.of(Wire.MISSING));
    collect(
        options ->
            options.strategy(Strategy.ORDERED).memory(Options.LEAST_MEMORY).tripwires(wires));

    assertThat(passed).containsOnlyOnce(Point.RUN_SPILLED);
  }

  @ParameterizedTest
  @EnumSource(names = {"DEFERRED", "ORDERED"})
  void run_withTheExclusiveLock_setsNothingAside(Strategy strategy) {
    collect(options -> options.strategy(strategy).lockMode(LockMode.EXCLUSIVE));

    assertThat(passed)
        .containsSubsequence(Point.BEFORE_REMOVAL, Point.BEFORE_UNLINK, Point.UNLINKED)
        .doesNotContain(Point.SET_ASIDE);
  }

  @ParameterizedTest
  @EnumSource(names = {"DEFERRED", "ORDERED"})
  void chunk_touchedWhileAside_passesThePointOfPuttingBack(Strategy strategy) {
    store.faults.before("renameat2", unused.digest(), 1, () -> store.touch(unused));

    collect(options -> options.strategy(strategy));

    assertThat(passed)
        .containsSubsequence(Point.BEFORE_REMOVAL, Point.SET_ASIDE, Point.BEFORE_PUT_BACK)
        .doesNotContain(Point.BEFORE_UNLINK, Point.UNLINKED);
  }

  @ParameterizedTest
  @EnumSource
  void dryRun_passesNoPointOfARemovalOrOfTheStatus(Strategy strategy) {
    collect(options -> options.strategy(strategy).action(Options.Action.DRY_RUN));

    assertThat(new TreeSet<>(passed))
        .doesNotContain(Point.BEFORE_REMOVAL, Point.SET_ASIDE, Point.UNLINKED)
        .doesNotContain(Point.BEFORE_TOUCH_PASS, Point.BEFORE_FLUSH, Point.BEFORE_STATUS)
        .contains(Point.LOCKED, Point.FINISHED);
  }

  /* Whatever a point throws ends the run there: what a test does that breaks a run off. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {
        "PREFETCHED",
        "RUN_SPILLED",
        "BEFORE_CHECKPOINT",
        "CHECKPOINT_DURABLE",
        "CHECKPOINT_NOTED",
        "JOURNAL_DISCARDED"
      })
  void point_throwing_endsTheRunAndNextRunsFinish(Point point) {
    Strategy strategy =
        point == Point.BEFORE_FLUSH || point == Point.AFTER_FLUSH
            ? Strategy.DEFERRED
            : Strategy.ORDERED;
    if (point == Point.BEFORE_PUT_BACK) {
      store.faults.before("renameat2", unused.digest(), 1, () -> store.touch(unused));
    }
    store.watch(
        reached -> {
          if (reached == point) {
            throw new IllegalStateException("broken off at " + point);
          }
        });

    Report broken = store.collect(options -> options.strategy(strategy));

    assertThat(broken.error().orElseThrow()).contains("broken off at " + point);
    assertThat(broken.outcome()).isIn(Outcome.REFUSED, Outcome.FAILED);
    store.watch(passed::add);
    assertThat(store.collectAgain().error()).isEmpty();
    store.assertExist(used);
  }
}
