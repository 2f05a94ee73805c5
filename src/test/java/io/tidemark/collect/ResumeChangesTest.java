package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.unchecked;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.ResumeTest.Way;
import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.posix.Errno;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Between two runs backups come and go; what they require is marked, and the first cutoff holds.
 */
class ResumeChangesTest {
  @TempDir private Path temporary;
  private InterruptedStore store;

  /** Where the first run is broken off. */
  enum Moment {
    MARK,
    SWEEP
  }

  static Stream<Arguments> interruptions() {
    return ResumeTest.ways().stream()
        .flatMap(way -> Stream.of(Moment.values()).map(moment -> Arguments.of(way, moment)));
  }

  @BeforeEach
  void make() {
    store = new InterruptedStore(temporary);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void interrupt(Way way, Moment moment) {
    if (moment == Moment.MARK) {
      store.crashAtTouch(44);
    } else {
      store.crashAtRemoval(20);
    }
    Report report = store.collect(way.options(), Continuation.Mode.KEEP);
    assertThat(report.outcome()).isIn(Outcome.REFUSED, Outcome.FAILED);
    store.fixture.recover();
  }

  private Report resume(Way way) {
    Report report = store.resume(way.options());
    assertThat(report.error()).isEmpty();
    assertThat(report.continuedFrom()).contains(store.fixture.now);
    store.fixture.assertModificationTimesKept();
    return report;
  }

  /* Chunks that nothing required before, some in directories that were swept, some not. */
  private Chunk[] oldOnes() {
    List<Chunk> left =
        store.unused.stream().filter(chunk -> Files.exists(store.fixture.path(chunk))).toList();
    assertThat(left.size()).isGreaterThan(3);
    return left.toArray(Chunk[]::new);
  }

  private void assertUsed(Chunk... chunks) {
    store.fixture.assertExist(chunks);
    for (Chunk chunk : chunks) {
      assertThat(store.fixture.used(chunk)).isAfterOrEqualTo(store.fixture.now);
    }
  }

  @ParameterizedTest
  @MethodSource("interruptions")
  void index_new_isMarked(Way way, Moment moment) {
    interrupt(way, moment);
    Chunk[] required = oldOnes();
    store.fixture.snapshot(required);

    Report report = resume(way);

    assertUsed(required);
    assertUsed(store.used.toArray(Chunk[]::new));
    assertThat(report.status().indexFileCount()).isEqualTo(13);
  }

  /* The second run comes by fresh chunks first, and is broken off before it is where the first was. */
  @Test
  void index_newAndBrokenOffAgainBeforeThePosition_keepsThePosition() {
    Way way = ResumeTest.ways().get(2);
    interrupt(way, Moment.MARK);
    Chunk[] required = oldOnes();
    store.fixture.snapshot(required);
    store.crashAtTouch(5);
    assertThat(store.resumeAfterFaults(way.options()).outcome()).isEqualTo(Outcome.REFUSED);
    long before = store.touches();

    Report report = resume(way);

    assertThat(report.status().diskChunks()).isEqualTo(store.used.size() + required.length);
    assertThat(store.touches() - before)
        .isLessThanOrEqualTo(store.used.size() - 42 + required.length);
  }

  @ParameterizedTest
  @MethodSource("interruptions")
  void index_newOfSharedChunks_leavesThemAlone(Way way, Moment moment) {
    interrupt(way, moment);
    store.fixture.snapshot(store.used.toArray(Chunk[]::new));
    resume(way);
    assertUsed(store.used.toArray(Chunk[]::new));
  }

  @ParameterizedTest
  @MethodSource("interruptions")
  void index_replaced_isMarkedAgain(Way way, Moment moment) {
    interrupt(way, moment);
    Chunk[] required = oldOnes();
    for (int i = 0; i < store.indexes.size(); i++) {
      if (i == 3) {
        continue; // requires the missing chunk
      }
      Path index = store.indexes.get(i);
      Path other = store.fixture.index("other.tmp_fidx.fidx", required[i % required.length]);
      unchecked(() -> Files.move(other, index, StandardCopyOption.REPLACE_EXISTING));
    }

    resume(way);

    assertUsed(required[0], required[1], required[2]);
  }

  @ParameterizedTest
  @MethodSource("interruptions")
  void index_moved_isMarkedWhereItIs(Way way, Moment moment) {
    interrupt(way, moment);
    Path group = store.fixture.base.resolve("ns/archive/vm");
    unchecked(
        () -> {
          Files.createDirectories(group);
          Files.move(store.fixture.base.resolve("vm/100"), group.resolve("100"));
        });
    Report report = resume(way);
    assertUsed(store.used.toArray(Chunk[]::new));
    assertThat(report.status().indexFileCount()).isEqualTo(12);
  }

  @ParameterizedTest
  @MethodSource("interruptions")
  void index_gone_doesNotMatter(Way way, Moment moment) {
    interrupt(way, moment);
    for (int i = 0; i < 3; i++) {
      store.fixture.remove(
          store.fixture.base.relativize(store.indexes.get(i).getParent()).toString());
    }
    Report report = resume(way);
    assertThat(report.status().indexFileCount()).isEqualTo(9);
    store.fixture.assertExist(store.used.getFirst());
    store.fixture.assertExist(store.used.subList(16, store.used.size()).toArray(Chunk[]::new));
  }

  /* Another run, three days later, would let go what a backup has written since. */
  @ParameterizedTest
  @MethodSource("interruptions")
  void cutoff_daysLaterAndAnotherAskedFor_isTheFirstOne(Way way, Moment moment) {
    interrupt(way, moment);
    Chunk written = store.fixture.chunk(Duration.ofHours(-1));
    store.fixture.clock.pass(Duration.ofDays(3));

    Report report = store.resume(options -> way.options().apply(options).graceMinutes(1));

    assertThat(report.minimumAtime()).contains(store.fixture.now.minusSeconds(86_700));
    store.fixture.assertExist(written);
    store.fixture.assertExist(store.young.toArray(Chunk[]::new));
    store.fixture.assertExist(store.used.toArray(Chunk[]::new));
    assertThat(store.unused).noneMatch(chunk -> Files.exists(store.fixture.path(chunk)));
  }

  @Test
  void cutoff_longerOneAskedFor_isTheLongerOne() {
    Way way = ResumeTest.ways().get(2);
    interrupt(way, Moment.MARK);
    Report report = store.resume(options -> way.options().apply(options).graceMinutes(2880));
    assertThat(report.minimumAtime()).contains(store.fixture.now.minusSeconds(2880 * 60));
  }

  /* The disk ends what the touches need to be safe: then nothing is noted, and nothing removed. */
  @ParameterizedTest
  @MethodSource("interruptions")
  void sync_failing_endsTheRunBeforeAnythingIsNoted(Way way, Moment moment) {
    interrupt(way, moment);
    store.fixture.recover();
    String before = unread();
    store.fixture.snapshot(oldOnes());
    store.fixture.faults.failFrom("syncfs", 1, Errno.EIO);

    Report report = store.collect(way.options(), Continuation.Mode.RESUME);

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow()).contains("EIO");
    assertThat(unread()).isEqualTo(before);
  }

  private String unread() {
    String[] text = {""};
    unchecked(() -> text[0] = Files.readString(store.journal()));
    return text[0];
  }

  static Stream<Arguments> seeds() {
    return seeds(1, 3);
  }

  static Stream<Arguments> moreSeeds() {
    return seeds(4, 40);
  }

  private static Stream<Arguments> seeds(int first, int last) {
    return ResumeTest.ways().stream()
        .flatMap(
            way -> IntStream.rangeClosed(first, last).mapToObj(seed -> Arguments.of(way, seed)));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void run_brokenOffAtRandomWhileBackupsComeAndGo_losesNothing(Way way, int seed) {
    breakOffAgainAndAgain(way, seed);
  }

  @ParameterizedTest
  @MethodSource("moreSeeds")
  @Tag("slow")
  void run_brokenOffAtRandomWhileBackupsComeAndGoOftener_losesNothing(Way way, int seed) {
    breakOffAgainAndAgain(way, seed);
  }

  /** A snapshot made between two runs. */
  private record Backup(Path index, List<Chunk> chunks) {}

  private void breakOffAgainAndAgain(Way way, int seed) {
    Random random = new Random(seed);
    List<Backup> live = new ArrayList<>();
    for (int run = 0; run < 4; run++) {
      store.fixture.recover();
      switch (random.nextInt(4)) {
        case 0 -> store.crashAtTouch(1 + random.nextInt(70));
        case 1 -> store.crashAtRemoval(1 + random.nextInt(30));
        case 2 -> store.windDownAtTouch(1 + random.nextInt(70));
        default -> store.windDownAtRemoval(1 + random.nextInt(30));
      }
      store.collect(way.options(), Continuation.Mode.RESUME);
      assertLive(live);
      if (random.nextBoolean()) {
        backUp(live, random);
      }
      if (random.nextInt(3) == 0 && !live.isEmpty()) {
        Path snapshot = live.removeFirst().index().getParent();
        store.fixture.remove(store.fixture.base.relativize(snapshot).toString());
      }
    }
    Report report = store.resume(way.options());
    assertThat(report.error()).as("seed %d", seed).isEmpty();
    assertLive(live);
    live.forEach(backup -> assertUsed(backup.chunks().toArray(Chunk[]::new)));
    assertUsed(store.used.toArray(Chunk[]::new));
    assertThat(store.states).isEmptyDirectory();
  }

  private void backUp(List<Backup> live, Random random) {
    List<Chunk> there =
        store.unused.stream().filter(chunk -> Files.exists(store.fixture.path(chunk))).toList();
    if (!there.isEmpty()) {
      List<Chunk> chunks =
          List.of(there.get(random.nextInt(there.size())), store.fixture.chunk(OLD));
      live.add(new Backup(store.fixture.snapshot(chunks.toArray(Chunk[]::new)), chunks));
    }
  }

  private void assertLive(List<Backup> live) {
    live.forEach(backup -> store.fixture.assertExist(backup.chunks().toArray(Chunk[]::new)));
    store.fixture.assertExist(store.used.toArray(Chunk[]::new));
  }
}
