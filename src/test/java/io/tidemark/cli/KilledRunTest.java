package io.tidemark.cli;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.Collector;
import io.tidemark.collect.Continuation;
import io.tidemark.collect.MemoryDirectory;
import io.tidemark.collect.Outcome;
import io.tidemark.collect.ProgressListener;
import io.tidemark.collect.Report;
import io.tidemark.collect.StoreFixture;
import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.collect.Strategy;
import io.tidemark.report.Point;
import io.tidemark.report.StopToken;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.jr.ob.JSON;

/** A run whose process is killed, at any moment, is followed by one that ends as if alone. */
@Timeout(120)
class KilledRunTest {
  private static final int USED = 300;
  private static final int UNUSED = 150;
  private static final int YOUNGER = 40;
  private static final long LONGEST_MILLIS = 700;

  private static final List<Strategy> STRATEGIES =
      List.of(Strategy.IMMEDIATE, Strategy.DEFERRED, Strategy.ORDERED);

  private final List<Chunk> left = new ArrayList<>();
  private final List<Chunk> used = new ArrayList<>();
  private MemoryDirectory memory;
  private StoreFixture store;
  private Path states;

  @BeforeEach
  void make() {
    memory = new MemoryDirectory();
    store = new StoreFixture(memory.path);
    states = memory.path.resolve("states");
    for (int i = 0; i < USED; i++) {
      used.add(store.chunk(OLD));
    }
    for (int i = 0; i < UNUSED; i++) {
      store.chunk(OLD);
    }
    left.addAll(used);
    for (int i = 0; i < YOUNGER; i++) {
      left.add(store.chunk(YOUNG));
    }
    for (int first = 0; first < USED; first += 30) {
      store.snapshot(used.subList(first, first + 30).toArray(Chunk[]::new));
    }
    store.index("stray.fidx", used.getFirst());
  }

  @AfterEach
  void close() {
    store.close();
    memory.close();
  }

  private Report next(Strategy strategy, Continuation.Mode mode) {
    return new Collector(
            ChildRun.options(store.base.toString(), store.host, states, strategy, mode),
            ProgressListener.NONE,
            new StopToken())
        .run();
  }

  private void assertNextEndsAsIfAlone(Strategy strategy, Continuation.Mode mode) throws Exception {
    store.assertExist(left.toArray(Chunk[]::new));

    Report report = next(strategy, mode);

    assertThat(report.error()).isEmpty();
    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
    store.assertSurvivors(left.toArray(Chunk[]::new));
    assertThat(used)
        .allSatisfy(chunk -> assertThat(store.used(chunk)).isAfter(store.now.minusSeconds(1)));
    store.assertModificationTimesKept();
    assertNoJournal(states);
    Map<String, Object> status =
        JSON.std.mapFrom(Files.readAllBytes(store.base.resolve(".gc-status")));
    assertThat(status)
        .containsEntry("index-file-count", USED / 30 + 1)
        .containsEntry("disk-chunks", USED)
        .containsEntry("disk-bytes", USED * StoreFixture.CHUNK_BYTES)
        .containsEntry("pending-chunks", YOUNGER)
        .containsEntry("pending-bytes", YOUNGER * StoreFixture.CHUNK_BYTES);
    assertThat((Integer) status.get("removed-chunks")).isBetween(0, UNUSED);
  }

  private static void assertNoJournal(Path directory) {
    if (Files.exists(directory)) {
      assertThat(directory).isDirectoryNotContaining("glob:**.journal");
    }
  }

  static Stream<Arguments> moments() {
    return moments(1, 6);
  }

  static Stream<Arguments> moreMoments() {
    return moments(7, 106);
  }

  private static Stream<Arguments> moments(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(seed -> Arguments.of(STRATEGIES.get(seed % STRATEGIES.size()), seed));
  }

  @ParameterizedTest
  @MethodSource("moments")
  void run_killedAtARandomMoment_nextOneEndsAsIfAlone(Strategy strategy, int seed)
      throws Exception {
    kill(strategy, seed);
  }

  @ParameterizedTest
  @MethodSource("moreMoments")
  @Tag("slow")
  void run_killedAtOneOfAHundredMoments_nextOneEndsAsIfAlone(Strategy strategy, int seed)
      throws Exception {
    kill(strategy, seed);
  }

  /* The seed says when after its first line the process is killed, and how the next run begins. */
  private void kill(Strategy strategy, int seed) throws Exception {
    Random random = new Random(seed);
    Process process = ChildRun.program(store, states, strategy);
    try (BufferedReader lines = ChildRun.lines(process)) {
      ChildRun.awaitStart(lines);
      long wait = random.nextLong(LONGEST_MILLIS * 1000);
      boolean ended = process.waitFor(wait, TimeUnit.MICROSECONDS);
      process.destroyForcibly().waitFor();
      assertThat(process.exitValue()).isIn(ended ? 1 : 137, 1, 137);
    }
    assertNextEndsAsIfAlone(
        strategy, random.nextInt(3) == 0 ? Continuation.Mode.NONE : Continuation.Mode.RESUME);
  }

  /* Where something durable changes; a process costs a second, so the slow test has the others. */
  static Stream<Arguments> points() {
    return Stream.of(
            Point.CUTOFF_FIXED,
            Point.AFTER_FLUSH,
            Point.AFTER_ROUND,
            Point.AFTER_TOUCH_PASS,
            Point.BEFORE_CHECKPOINT,
            Point.CHECKPOINT_DURABLE,
            Point.CHECKPOINT_NOTED,
            Point.MARKED,
            Point.BEFORE_REMOVAL,
            Point.SET_ASIDE,
            Point.BEFORE_UNLINK,
            Point.UNLINKED,
            Point.SWEPT,
            Point.BEFORE_STATUS,
            Point.JOURNAL_DISCARDED)
        .map(
            point ->
                Arguments.of(
                    point == Point.AFTER_FLUSH ? Strategy.DEFERRED : Strategy.ORDERED, point, 1));
  }

  static Stream<Arguments> morePoints() {
    return Arrays.stream(Strategy.values())
        .flatMap(
            strategy ->
                Arrays.stream(Point.values())
                    .flatMap(
                        point -> Stream.of(1, 2, 7).map(k -> Arguments.of(strategy, point, k))));
  }

  @ParameterizedTest
  @MethodSource("points")
  void run_killedAtAPoint_nextOneEndsAsIfAlone(Strategy strategy, Point point, int occurrence)
      throws Exception {
    assertThat(halt(strategy, point, occurrence)).isEqualTo(137);
    assertNextEndsAsIfAlone(strategy, Continuation.Mode.RESUME);
  }

  @ParameterizedTest
  @MethodSource("morePoints")
  @Tag("slow")
  void run_killedAtAnyPointOfAnyStrategy_nextOneEndsAsIfAlone(
      Strategy strategy, Point point, int occurrence) throws Exception {
    if (halt(strategy, point, occurrence) == 137) {
      assertNextEndsAsIfAlone(strategy, Continuation.Mode.RESUME);
    }
  }

  private int halt(Strategy strategy, Point point, int occurrence) throws Exception {
    Process process = ChildRun.halting(store, states, strategy, point, occurrence);
    return process.waitFor();
  }
}
