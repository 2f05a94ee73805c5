package io.tidemark.sweep;

import static io.tidemark.collect.StoreFixture.OLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.collect.StoreFixture;
import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FaultyCalls;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.Points;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import io.tidemark.report.StoppedException;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.ChunkStore;
import io.tidemark.store.EntryKind;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Unlinks on a full copy-on-write file system, which may work a little later. */
class SweeperTest {
  private static final List<Long> SHORT = List.of(1L, 1L, 1L);

  @TempDir private Path temporary;
  private final FaultyCalls faults = new FaultyCalls();
  private final StopToken stop = new StopToken();
  private final RunLog log = new RunLog();
  private StoreFixture fixture;
  private SystemCalls calls;
  private ChunkStore store;
  private ChunkDirectory directory;
  private Chunk chunk;

  @BeforeEach
  void make() {
    fixture = new StoreFixture(temporary);
    chunk = fixture.chunk(OLD);
    calls = faults.around(Posix.open());
    store = ChunkStore.open(calls, fixture.base.toString());
    directory = store.directory(calls);
  }

  @AfterEach
  void close() {
    directory.close();
    store.close();
    calls.close();
    fixture.close();
  }

  private Sweeper sweeper(Removal removal) {
    Cutoff cutoff = new Cutoff(fixture.now.getEpochSecond(), fixture.now.getEpochSecond());
    return new Sweeper(cutoff, removal, new RemovalFailures(log), stop, log, Points.NONE, SHORT);
  }

  private void sweep(Sweeper sweeper, Chunk which) {
    ByteBuffer words = ByteBuffer.wrap(which.bytes());
    long w0 = words.getLong();
    directory.open((int) (w0 >>> 48));
    sweeper.entry(
        directory, w0, words.getLong(), words.getLong(), words.getLong(), EntryKind.CHUNK);
  }

  @ParameterizedTest
  @EnumSource(names = {"SET_ASIDE", "DIRECT"})
  void unlink_noSpaceThreeTimes_triedAgainAndRemoved(Removal removal) {
    for (int i = 0; i < 3; i++) {
      faults.fail("unlinkat", 1, Errno.ENOSPC);
    }
    Sweeper sweeper = sweeper(removal);

    sweep(sweeper, chunk);

    assertThat(sweeper.counts().removedChunks).isEqualTo(1);
    assertThat(sweeper.counts().failed).isZero();
    assertThat(faults.count("unlinkat")).isEqualTo(4);
    assertThat(log.warnings()).isEmpty();
    fixture.assertSurvivors();
  }

  @ParameterizedTest
  @EnumSource(names = {"SET_ASIDE", "DIRECT"})
  void unlink_noSpaceForEver_countedAsFailedAndKept(Removal removal) {
    faults.failFrom("unlinkat", 1, Errno.ENOSPC);
    Sweeper sweeper = sweeper(removal);

    sweep(sweeper, chunk);

    assertThat(faults.count("unlinkat")).isEqualTo(4);
    assertThat(sweeper.counts().failed).isEqualTo(1);
    assertThat(sweeper.counts().pendingChunks).isEqualTo(1);
    assertThat(log.warnings()).hasSize(1);
    fixture.assertSurvivors(chunk);
  }

  @Test
  void setAside_noSpaceOnce_triedAgainAndRemoved() {
    faults.fail("renameat2", 1, Errno.ENOSPC);
    Sweeper sweeper = sweeper(Removal.SET_ASIDE);

    sweep(sweeper, chunk);

    assertThat(sweeper.counts().removedChunks).isEqualTo(1);
    fixture.assertSurvivors();
  }

  @Test
  void unlink_stopRequestedBetweenAttempts_nameIsGivenBack() {
    faults.run("unlinkat", 1, stop::request).failFrom("unlinkat", 1, Errno.ENOSPC);
    Sweeper sweeper = sweeper(Removal.SET_ASIDE);

    sweep(sweeper, chunk);

    assertThat(faults.count("unlinkat")).isEqualTo(1);
    fixture.assertSurvivors(chunk);
    assertThatThrownBy(() -> sweep(sweeper, chunk)).isInstanceOf(StoppedException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {Errno.EPERM, Errno.EIO, Errno.EBUSY})
  void unlink_anotherError_notTriedAgain(int errno) {
    faults.failFrom("unlinkat", 1, errno);

    sweep(sweeper(Removal.SET_ASIDE), chunk);

    assertThat(faults.count("unlinkat")).isEqualTo(1);
    fixture.assertSurvivors(chunk);
  }

  @Test
  void pretended_oldChunk_countedAndNotTouched() {
    Sweeper sweeper = sweeper(Removal.PRETEND);
    fixture.remember();

    sweep(sweeper, chunk);

    assertThat(sweeper.counts().removedChunks).isEqualTo(1);
    assertThat(faults.count("renameat2") + faults.count("unlinkat")).isZero();
    fixture.assertUnchanged();
  }
}
