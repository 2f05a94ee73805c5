package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static io.tidemark.collect.StoreFixture.unchecked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.guard.Tripwires;
import io.tidemark.posix.Errno;
import io.tidemark.store.LockHolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frees space where a touch finds none. */
class EmergencyTest {
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

  private Report rescue(UnaryOperator<Options.Builder> customisation) {
    return store.collect(options -> customisation.apply(options.action(Options.Action.EMERGENCY)));
  }

  /* No touch, no new file: what a copy-on-write file system without a free block allows. */
  private void fill() {
    store
        .faults
        .failFrom("utimensat", 1, Errno.ENOSPC)
        .failFrom("futimens", 1, Errno.ENOSPC)
        .failFrom("renameat2", 1, Errno.ENOSPC)
        .failFrom("linkat", 1, Errno.ENOSPC)
        .failFrom("pwrite", 1, Errno.ENOSPC)
        .failOn("openat", ".tmp_", Errno.ENOSPC);
  }

  @ParameterizedTest
  @EnumSource
  void fileSystem_full_collectionSaysWhatHelps(Strategy strategy) {
    Chunk used = store.chunk(OLD);
    Chunk unused = store.chunk(OLD);
    store.snapshot(used);
    fill();

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow())
        .contains("ENOSPC", "nothing was removed", "--emergency");
    store.assertSurvivors(used, unused);
  }

  @Test
  void fileSystem_full_unusedOldChunksGoAndNothingIsTouched() {
    Chunk used = store.chunk(OLD);
    Chunk young = store.chunk(YOUNG);
    Chunk corrupt = store.chunk(OLD, ".0.bad");
    store.chunk(OLD);
    store.chunk(OLD, ".3.bad");
    Chunk missing = store.missing();
    store.snapshot(used, missing, corrupt);
    fill();

    Report report = rescue(options -> options);

    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
    assertThat(store.survivors())
        .containsExactlyInAnyOrder(
            used.directory() + "/" + used.digest(),
            young.directory() + "/" + young.digest(),
            corrupt.directory() + "/" + corrupt.digest() + ".0.bad");
    assertThat(store.used(used)).isEqualTo(store.now.minus(OLD));
    assertThat(report.status().removedChunks()).isEqualTo(1);
    assertThat(report.status().removedBad()).isEqualTo(1);
    assertThat(report.status().pendingChunks()).isEqualTo(1);
    assertThat(report.status().diskChunks()).isEqualTo(1);
    assertThat(report.missingCount()).isEqualTo(2);
    assertThat(report.warnings())
        .extracting(warning -> warning.id())
        .contains("missing-chunk", "status-not-written");
    assertThat(store.faults.count("utimensat") + store.faults.count("futimens")).isZero();
  }

  /* The figures are those that a dry run foretells. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void randomStore_resultIsThatOfADryRun(int seed) {
    try (RandomStore random = new RandomStore(temporary.resolve("random"), seed)) {
      Report foretold = random.fixture.collect(options -> options.action(Options.Action.DRY_RUN));
      Report report = random.fixture.collect(options -> options.action(Options.Action.EMERGENCY));

      assertThat(report.error()).isEqualTo(foretold.error());
      assertThat(report.status()).isEqualTo(foretold.status());
      assertThat(report.missing()).isEqualTo(foretold.missing());
    }
  }

  @Test
  void backup_running_busyAndNothingDone() {
    store.snapshot(store.chunk(OLD));
    store.chunk(OLD);
    store.remember();
    try (LockHolder backup = LockHolder.shared(store.base.resolve(".lock"))) {
      Report report = rescue(options -> options);

      assertThat(report.outcome()).isEqualTo(Outcome.BUSY);
      assertThat(report.error().orElseThrow()).contains("process " + backup.pid());
    }
    store.assertUnchanged();
  }

  @Test
  void backup_startsMeanwhile_findsTheStoreLocked() {
    store.snapshot(store.chunk(OLD));
    Chunk unused = store.chunk(OLD);
    List<String> locks = new ArrayList<>();
    store.faults.before(
        "unlinkat",
        unused.digest(),
        1,
        () -> {
          try (LockHolder backup = LockHolder.shared(store.base.resolve(".lock"))) {
            locks.add("process " + backup.pid());
          } catch (RuntimeException | AssertionError e) {
            locks.add("refused");
          }
        });

    rescue(options -> options);

    assertThat(locks).containsExactly("refused");
  }

  /* Where touches are ignored, the time of writing still protects what is new. */
  @Test
  void chunk_writtenLately_staysWhateverItsAccessTime() {
    store.snapshot(store.chunk(OLD));
    Chunk lately = store.chunk(OLD);
    unchecked(
        () ->
            Files.setLastModifiedTime(
                store.path(lately), FileTime.from(store.now.minus(Duration.ofHours(2)))));

    Report report = rescue(options -> options);

    store.assertExist(lately);
    assertThat(report.status().pendingChunks()).isEqualTo(1);
  }

  @Test
  void chunkSetAside_used_staysAsItIsForTheNextRun() {
    Chunk used = store.chunk(OLD, ".tidemark");
    store.snapshot(used);
    store.chunk(OLD, ".tidemark");
    fill();

    rescue(options -> options);

    assertThat(store.survivors())
        .containsExactly(used.directory() + "/" + used.digest() + ".tidemark");
    store.collectAgain();
    store.assertSurvivors(used);
  }

  @Test
  void tripwire_tooMuchWouldGo_refusedWithExactFigures() {
    store.snapshot(store.chunk(OLD));
    for (int i = 0; i < 120; i++) {
      store.chunk(OLD);
    }
    Report report = rescue(options -> options);
    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow()).contains("120 of 121 chunks (99.2 %)");

    report = rescue(options -> options.tripwires(Tripwires.STANDARD.withMaxRemoval(100)));
    assertThat(report.status().removedChunks()).isEqualTo(120);
  }

  @Test
  void spillDirectory_onTheFileSystemOfTheChunks_refused() {
    Chunk unused = store.chunk(OLD);
    Chunk[] required = new Chunk[12_000];
    for (int i = 0; i < required.length; i++) {
      required[i] = store.missing();
    }
    store.snapshot(required);

    Report report =
        rescue(
            options -> options.memory(Options.LEAST_MEMORY).spillDirectory(temporary.toString()));

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow())
        .contains(temporary.toString(), "is on the file system of the chunks", "--spill-dir");
    store.assertExist(unused);
  }

  /** A real file system without a free byte. */
  @Test
  void tmpfs_filledToTheLastByte_isFreed() throws Exception {
    Path mount = Files.createDirectory(temporary.resolve("mount"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", mount.toString()) == 0,
        "mounting takes root");
    try (StoreFixture full = new StoreFixture(mount)) {
      Chunk used = full.chunk(OLD);
      full.snapshot(used);
      for (int i = 0; i < 20; i++) {
        full.file(full.missingIn("0a0a"), "", OLD);
      }
      full.touch(full.chunk(OLD));
      Path filler = mount.resolve("filler");
      writeUntilFull(filler);

      Report report =
          full.collect(
              options ->
                  options.action(Options.Action.EMERGENCY).atimeCheck(Options.AtimeCheckMode.RUN));

      assertThat(report.error()).isEmpty();
      assertThat(report.status().removedChunks()).isEqualTo(20);
      assertThat(full.survivors()).hasSize(2);
      full.assertExist(used);
      assertThat(mount.toFile().getUsableSpace()).isPositive();
      Files.delete(filler);
    } finally {
      run("umount", mount.toString());
    }
  }

  private static void writeUntilFull(Path file) throws IOException {
    byte[] block = new byte[4096];
    try (var out = Files.newOutputStream(file)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(file.toFile().getUsableSpace()).isZero();
    }
  }

  private static int run(String... line) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(line)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      return 127; // there is no such program
    }
  }
}
