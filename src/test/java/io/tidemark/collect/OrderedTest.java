package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.guard.Tripwires;
import io.tidemark.guard.Wire;
import io.tidemark.posix.Errno;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What only the ordered strategy does: sorting on disk, handles, windows, touches left out. */
class OrderedTest {
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

  private Report collect(UnaryOperator<Options.Builder> customisation) {
    return store.collect(options -> customisation.apply(options.strategy(Strategy.ORDERED)));
  }

  static Stream<Window> windows() {
    return Stream.of(Window.ALL, Window.of(100));
  }

  /* References, touches and candidates all exceed the least memory there is. */
  @ParameterizedTest
  @MethodSource("windows")
  void store_largerThanTheMemory_isCollectedByWayOfTheDisk(Window window) {
    List<Chunk> used = new ArrayList<>();
    List<Chunk> required = new ArrayList<>();
    for (int i = 0; i < 9_200; i++) {
      Chunk chunk = store.missingIn("00%02x".formatted(i % 40));
      store.file(chunk, "", OLD);
      used.add(chunk);
      required.add(chunk);
      if (i < 3_200) {
        store.file(store.missingIn("00%02x".formatted(i % 40)), "", OLD);
        required.add(store.missingIn("00%02x".formatted(i % 50)));
      }
    }
    store.snapshot(required.toArray(Chunk[]::new));

    Tripwires wires = Tripwires.STANDARD.without(Wire.MISSING).without(Wire.UNEVEN);
    Report report =
        collect(
            options ->
                options.memory(Options.LEAST_MEMORY).window(window).workers(2).tripwires(wires));

    assertThat(report.error()).isEmpty();
    assertThat(report.missingCount()).isEqualTo(3_200);
    assertThat(report.touched()).isEqualTo(9_200);
    assertThat(report.status().diskChunks()).isEqualTo(9_200);
    assertThat(report.status().removedChunks()).isEqualTo(3_200);
    store.assertSurvivors(used.toArray(Chunk[]::new));
    assertThat(used).allSatisfy(chunk -> assertThat(store.used(chunk)).isAfterOrEqualTo(store.now));
  }

  private void useChunks(int number) {
    Chunk[] used = new Chunk[number];
    for (int i = 0; i < number; i++) {
      used[i] = store.missingIn("00%02x".formatted(i % 40));
      store.file(used[i], "", OLD);
    }
    store.snapshot(used);
  }

  /* A quarter of 40 MiB holds 5,120 inodes of 2 KiB. */
  @ParameterizedTest
  @MethodSource("windows")
  void touches_moreThanTheMemoryHolds_writtenInBetween(Window window) {
    store.cache(40 << 20);
    useChunks(6_000);

    Report report = collect(options -> options.window(window).workers(2));

    assertThat(report.error()).isEmpty();
    assertThat(report.touched()).isEqualTo(6_000);
    assertThat(store.faults.count("syncfs")).isEqualTo(1);
  }

  @Test
  void touches_thatFillMoreThanHalfOfTheRoom_writtenBeforeTheSweep() {
    store.cache(64 << 20);
    useChunks(6_000);

    collect(options -> options.window(Window.ALL));

    assertThat(store.faults.count("syncfs")).isEqualTo(1);
  }

  @Test
  void touches_thatTheMemoryHolds_leftToTheKernelToWrite() {
    useChunks(6_000);

    collect(options -> options.window(Window.ALL));

    assertThat(store.faults.count("syncfs")).isZero();
  }

  @Test
  void touches_thatCannotBeWritten_endTheRunBeforeTheSweep() {
    store.cache(1);
    useChunks(6_000);
    Chunk garbage = store.chunk(OLD);
    store.faults.fail("syncfs", 1, Errno.EIO);

    Report report = collect(options -> options.window(Window.ALL));

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow())
        .contains("cannot write the access times of", ".chunks: EIO");
    assertThat(store.survivors()).contains(garbage.directory() + "/" + garbage.digest());
  }

  @Test
  void spillDirectory_missingAndWanted_refusedAndNothingRemoved() {
    Chunk[] required = new Chunk[12_000];
    for (int i = 0; i < required.length; i++) {
      required[i] = store.missing();
    }
    Chunk unused = store.chunk(OLD);
    store.snapshot(required);

    Report report =
        collect(
            options ->
                options
                    .memory(Options.LEAST_MEMORY)
                    .spillDirectory(temporary.resolve("none").toString()));

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow()).contains(temporary.resolve("none").toString());
    store.assertExist(unused);
  }

  @Test
  void handle_fileGoneAndMadeAnew_isTouchedByName() {
    Chunk used = store.chunk(OLD);
    store.snapshot(used);
    store.faults.failFrom("openByHandleAt", 2, Errno.ESTALE);

    Report report = collect(options -> options.workers(1));

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    assertThat(report.touched()).isEqualTo(1);
    store.assertSurvivors(used);
    assertThat(store.used(used)).isAfterOrEqualTo(store.now);
  }

  @Test
  void handles_notPermitted_touchedByName() {
    Chunk used = store.chunk(OLD);
    store.snapshot(used);
    store.faults.failFrom("openByHandleAt", 1, Errno.EPERM);

    Report report = collect(options -> options);

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    assertThat(store.used(used)).isAfterOrEqualTo(store.now);
    assertThat(store.lines()).anyMatch(line -> line.startsWith("Chunks are touched by name: "));
  }

  /* It comes after its directory was listed, and before or after its mark is looked for. */
  @Test
  void chunk_writtenAfterItsDirectoryWasListed_isFoundByName() {
    Chunk late = store.missingIn("0a0a");
    store.file(store.missingIn("0a0a"), "", OLD);
    store.snapshot(store.chunk(OLD), late);
    store.faults.before(
        "utimensat", late.digest(), 1, () -> store.file(late, "", Duration.ofSeconds(-5)));

    Report report = collect(options -> options);

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    assertThat(report.status().diskChunks()).isEqualTo(2);
    store.assertExist(late);
  }

  /* Old as it is, it was not listed, so it is no candidate. */
  @Test
  void chunk_thatAppearsAfterTheListing_staysWhateverItsAge() {
    store.snapshot(store.chunk(OLD));
    Chunk unused = store.chunk(OLD);
    Chunk late = store.missingIn(unused.directory());
    store.faults.before("renameat2", unused.digest(), 1, () -> store.file(late, "", OLD));

    collect(options -> options);

    store.assertExist(late);
    assertThat(store.path(unused)).doesNotExist();
  }

  @Test
  void touches_onlyIfOlder_othersAreLeftAloneAndStay() {
    Chunk old = store.chunk(OLD);
    Chunk young = store.chunk(YOUNG);
    Chunk nearTheCutoff = store.chunk(Duration.ofHours(24));
    store.snapshot(old, young, nearTheCutoff);
    store.chunk(OLD);

    Report report = collect(options -> options.touchIfOlder(Duration.ofHours(1)));

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    store.assertSurvivors(old, young, nearTheCutoff);
    assertThat(report.touched()).isEqualTo(2);
    assertThat(report.status().diskChunks()).isEqualTo(3);
    assertThat(store.used(young)).isEqualTo(store.now.minus(YOUNG));
    assertThat(store.used(nearTheCutoff)).isAfterOrEqualTo(store.now);
  }
}
