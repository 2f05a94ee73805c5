package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Errno;
import io.tidemark.posix.PosixException;
import io.tidemark.report.StoppedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AtimeCheckTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path chunks;
  private ChunksFixture store;

  @BeforeEach
  void openStore() throws IOException {
    store = new ChunksFixture(chunks).insertChunk();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Errno.EPERM,
        Errno.ENOENT,
        Errno.EIO,
        Errno.EACCES,
        Errno.EINVAL,
        Errno.ENOSPC,
        Errno.EROFS,
        Errno.ESTALE,
        Errno.EDQUOT,
        133
      })
  void touch_failsAtOnce_failsWithPathAndErrno(int errno) {
    store.faults.fail("utimensat", 1, errno);
    assertThatThrownBy(store::check)
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("cannot touch chunk " + store.chunk())
        .hasMessageContaining(Errno.name(errno));
  }

  @Test
  void touch_failsAfterThePause_failsWithPathAndErrno() {
    store.faults.fail("utimensat", 2, Errno.EPERM);
    assertThatThrownBy(store::check)
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("cannot touch chunk " + store.chunk())
        .hasMessageContaining("EPERM");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void stat_fails_failsWithPath(int k) {
    store.faults.fail("statx", k, Errno.EIO);
    assertThatThrownBy(store::check)
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("cannot stat chunk " + store.chunk())
        .hasMessageContaining("EIO");
  }

  @Test
  void frozen_accessTimes_refusedBeforeAnythingElse() {
    store.calls = AlteredCalls.withoutTouches(store.calls);
    assertThatThrownBy(store::check)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("ignores access times")
        .hasMessageNotContaining("\n")
        .hasMessageContaining("2020-01-01T00:00:00.123456789Z before");
  }

  @Test
  void cached_accessTimes_refused() {
    Instant stored = ChunksFixture.accessTime(store.chunk());
    for (int k = 1; k <= 2; k++) {
      store.faults.before("statx", ZeroChunk.NAME, 2 * k, () -> store.setAccessTime(stored));
      store.faults.before("openat", ZeroChunk.NAME, k, () -> store.setAccessTime(stored));
    }
    assertThatThrownBy(store::check)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("does not store access times");
  }

  @Test
  void accessTimes_grownOnlyForANewDescriptor_refused() {
    Instant before = ChunksFixture.accessTime(store.chunk());
    for (int k = 1; k <= 2; k++) {
      store.faults.before("statx", ZeroChunk.NAME, 2 * k, () -> store.setAccessTime(before));
      store.faults.before("statx", ZeroChunk.NAME, 2 * k + 1, () -> store.setAccessTime(before));
      store.faults.before("openat", ZeroChunk.NAME, k, () -> store.setAccessTime(Instant.now()));
    }
    assertThatThrownBy(store::check)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("did not change its access time");
  }

  @Test
  void modificationTime_changedByATouch_refused() {
    store.faults.before(
        "openat",
        ZeroChunk.NAME,
        1,
        () -> {
          Instant now = ChunksFixture.accessTime(store.chunk());
          ChunksFixture.setTimes(store.chunk(), ChunksFixture.OLD.minusNanos(1), now);
        });
    assertThatThrownBy(store::check)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("modification time")
        .hasMessageContaining("123456789Z to 2020-01-01T00:00:00.123456788Z");
  }

  @Test
  void inode_replacedOnce_checkedAgain() {
    replaceBeforeStat(3);
    store.check();
    assertThat(store.faults.count("utimensat")).isEqualTo(3);
  }

  @Test
  void inode_replacedTwice_refused() {
    replaceBeforeStat(3);
    replaceBeforeStat(5);
    assertThatThrownBy(store::check)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("keeps replacing chunk " + store.chunk());
  }

  /* The first stat looks whether the chunk is there; then each touch has one before and after. */
  private void replaceBeforeStat(int k) {
    store.faults.before("statx", ZeroChunk.NAME, k, store::replaceChunk);
  }

  @Test
  void granularity_oneSecond_passes() {
    store.pauseMillis = 1000;
    roundAccessTimes(1);
    store.check();
    assertThat(store.log.lines().getFirst())
        .contains("granularity of 1 s", store.chunk().toString());
    assertThat(store.faults.count("utimensat")).isEqualTo(2);
  }

  @Test
  void granularity_threeSeconds_passesAfterALongerPause() {
    Instant coarse = Instant.ofEpochSecond(Instant.now().getEpochSecond());
    for (int k = 2; k <= 4; k++) {
      store.faults.before("statx", ZeroChunk.NAME, k, () -> store.setAccessTime(coarse));
    }
    store.faults.before("openat", ZeroChunk.NAME, 1, () -> store.setAccessTime(coarse));
    store.check();
    assertThat(store.log.lines().getFirst()).contains("granularity of more than 1 s");
    assertThat(store.faults.count("utimensat")).isEqualTo(3);
  }

  private void roundAccessTimes(long seconds) {
    Runnable round =
        () -> {
          long now = ChunksFixture.accessTime(store.chunk()).getEpochSecond();
          store.setAccessTime(Instant.ofEpochSecond(now - now % seconds));
        };
    for (int k = 2; k <= 5; k++) {
      store.faults.before("statx", ZeroChunk.NAME, k, round);
    }
  }

  @ParameterizedTest
  @CsvSource({"90, -90", "-90, 91", "1, -1", "3599, -3599"})
  void skew_withinAnHour_isMeasured(long localSecondsAhead, long skewSeconds) {
    store.clock = FakeClock.ahead(localSecondsAhead * SECOND - SECOND / 2);
    assertThat(store.check().skewSeconds()).isEqualTo(skewSeconds);
    assertThat(store.log.lines()).hasSize(Math.abs(skewSeconds) > 2 ? 2 : 1);
  }

  @ParameterizedTest
  @CsvSource({"3601, behind", "-3602, ahead of"})
  void skew_moreThanAnHour_refusedWithBothTimes(long localSecondsAhead, String word) {
    store.clock = FakeClock.ahead(localSecondsAhead * SECOND);
    assertThatThrownBy(store::check)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(word)
        .hasMessageContaining("touched at 2")
        .hasMessageContaining("got 2");
  }

  @Test
  void stop_duringThePause_ends() {
    store.stop.request();
    assertThatThrownBy(store::check).isInstanceOf(StoppedException.class);
  }
}
