package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FaultyCalls;
import io.tidemark.posix.Posix;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import io.tidemark.report.StoppedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreLockTest {
  private static final long T = 1_700_000_000L;
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path directory;

  private final SystemCalls posix = Posix.open();
  private final FaultyCalls faults = new FaultyCalls();
  private final SystemCalls calls = faults.around(posix);
  private final StopToken stop = new StopToken();
  private final RunLog log = new RunLog();
  private final LogLines lines = new LogLines();

  private EpochClock clock = FakeClock.at(T * SECOND + SECOND / 2);
  private Duration wait = Duration.ZERO;
  private Access access = Access.WRITE;

  @BeforeEach
  void createLockFile() throws IOException {
    Files.createFile(lockFile());
  }

  @AfterEach
  void closeAll() {
    lines.close();
    posix.close();
  }

  private Path lockFile() {
    return directory.resolve(".lock");
  }

  private PbsHost host() {
    return new PbsHost("/nonexistent", "/nonexistent", directory.toString());
  }

  private StoreLock take(LockMode mode) {
    return StoreLock.take(
        calls, directory.toString(), mode, access, wait, host(), clock, stop, log);
  }

  private void tasks(String... lines) throws IOException {
    Files.write(directory.resolve("active"), List.of(lines));
  }

  private static String task(int pid, long start, String type) {
    return "UPID:host:%08X:00000010:00000001:%08X:%s:store:root@pam:".formatted(pid, start, type);
  }

  @Test
  void shared_nobodyElse_startIsNowAndNoWriterIsOlder() {
    try (StoreLock lock = take(LockMode.SHARED)) {
      assertThat(lock.startSeconds()).isEqualTo(T);
      assertThat(lock.oldestWriterSeconds()).isEqualTo(T);
      assertThat(lock.isExclusive()).isFalse();
    }
  }

  @Test
  void shared_justAfterAFullSecond_startIsTheSecondBefore() {
    clock = FakeClock.at(T * SECOND + 19_999_999);
    try (StoreLock lock = take(LockMode.SHARED)) {
      assertThat(lock.startSeconds()).isEqualTo(T - 1);
    }
  }

  @Test
  void shared_twentyMillisecondsAfterAFullSecond_startIsThatSecond() {
    clock = FakeClock.at(T * SECOND + 20_000_000);
    try (StoreLock lock = take(LockMode.SHARED)) {
      assertThat(lock.startSeconds()).isEqualTo(T);
    }
  }

  @Test
  void shared_held_backupsMayStartAndCollectionsMayNot() {
    try (StoreLock lock = take(LockMode.SHARED)) {
      assertThat(lock.isExclusive()).isFalse();
      LockHolder.shared(lockFile()).close();
      assertThatThrownBy(() -> LockHolder.exclusive(lockFile()).close())
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void exclusive_held_backupsMayNotStart() {
    try (StoreLock lock = take(LockMode.EXCLUSIVE)) {
      assertThat(lock.isExclusive()).isTrue();
      assertThat(lock.startSeconds()).isEqualTo(T);
      assertThat(lock.oldestWriterSeconds()).isEqualTo(T);
      assertThatThrownBy(() -> LockHolder.shared(lockFile()).close())
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void closed_either_everybodyMayLock(LockMode mode) {
    take(mode).close();
    LockHolder.exclusive(lockFile()).close();
    take(mode).close();
  }

  @ParameterizedTest
  @EnumSource
  void collectionElsewhere_either_busyNamesTheProcess(LockMode mode) {
    try (LockHolder server = LockHolder.exclusive(lockFile())) {
      assertThatThrownBy(() -> take(mode))
          .isInstanceOf(BusyException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("process " + server.pid());
    }
  }

  @Test
  void refused_earlier_nothingStaysLocked() {
    try (LockHolder server = LockHolder.exclusive(lockFile())) {
      assertThat(server.pid()).isPositive();
      assertThatThrownBy(() -> take(LockMode.SHARED)).isInstanceOf(BusyException.class);
    }
    take(LockMode.EXCLUSIVE).close();
  }

  @Test
  void secondRun_inThisProcess_busy() {
    try (StoreLock first = take(LockMode.SHARED)) {
      assertThatThrownBy(() -> take(LockMode.SHARED))
          .isInstanceOf(BusyException.class)
          .hasMessageContaining("another run of Tidemark");
      assertThat(first.isExclusive()).isFalse();
    }
    take(LockMode.SHARED).close();
  }

  @ParameterizedTest
  @ValueSource(ints = {Errno.EBADF, Errno.ENOLCK, Errno.EOPNOTSUPP, Errno.EINVAL})
  void flock_fileSystemHasNone_runGoesOn(int errno) {
    faults.fail("flock", 1, errno);
    take(LockMode.SHARED).close();
  }

  @Test
  void flock_ioError_fails() {
    faults.fail("flock", 1, Errno.EIO);
    assertThatThrownBy(() -> take(LockMode.SHARED))
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("EIO");
  }

  @ParameterizedTest
  @ValueSource(ints = {Errno.EAGAIN, Errno.EACCES})
  void recordLock_refused_busy(int errno) {
    faults.fail("fcntl", 1, errno);
    assertThatThrownBy(() -> take(LockMode.SHARED)).isInstanceOf(BusyException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void recordLock_noLocks_failsWithPath(int call) {
    faults.fail("fcntl", call, Errno.ENOLCK);
    assertThatThrownBy(() -> take(LockMode.SHARED))
        .isInstanceOf(PosixException.class)
        .hasMessageContaining(lockFile().toString())
        .hasMessageContaining("ENOLCK");
    assertThat(faults.count("close")).isEqualTo(2);
  }

  @Test
  void lockFile_missing_refusedAndNotCreated() throws IOException {
    Files.delete(lockFile());
    assertThatThrownBy(() -> take(LockMode.SHARED))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(".lock does not exist");
    assertThat(lockFile()).doesNotExist();
    assertThat(faults.count("close")).isEqualTo(1);
  }

  @Test
  void lockFile_missingInADryRun_goesOnWithoutLock() throws IOException {
    Files.delete(lockFile());
    access = Access.READ_ONLY;
    try (StoreLock lock = take(LockMode.EXCLUSIVE)) {
      assertThat(lines.lines()).singleElement().asString().contains("goes on without a lock");
      assertThat(lock.startSeconds()).isEqualTo(T);
      assertThat(lock.isExclusive()).isFalse();
    }
    assertThat(lockFile()).doesNotExist();
    assertThat(faults.count("close")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {Errno.EROFS, Errno.EACCES})
  void lockFile_notWritableInADryRun_isLockedForReading(int errno) {
    access = Access.READ_ONLY;
    faults.fail("openat", 2, errno);
    try (StoreLock lock = take(LockMode.SHARED)) {
      assertThat(lock.startSeconds()).isEqualTo(T);
      assertThatThrownBy(() -> LockHolder.exclusive(lockFile()).close())
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void lockFile_notWritableInADryRun_cannotBeLockedExclusively() {
    access = Access.READ_ONLY;
    faults.fail("openat", 2, Errno.EROFS);
    assertThatThrownBy(() -> take(LockMode.EXCLUSIVE))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("can only be read");
  }

  @Test
  void lockFile_notWritable_fails() {
    faults.fail("openat", 2, Errno.EACCES);
    assertThatThrownBy(() -> take(LockMode.SHARED))
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("EACCES");
  }

  @Test
  void base_missing_fails() {
    assertThatThrownBy(
            () ->
                StoreLock.take(
                    calls,
                    directory + "/none",
                    LockMode.SHARED,
                    access,
                    wait,
                    host(),
                    clock,
                    stop,
                    log))
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("/none: ENOENT");
  }

  @Test
  void writer_ofUnknownAge_busy() {
    try (LockHolder writer = LockHolder.shared(lockFile())) {
      assertThatThrownBy(() -> take(LockMode.SHARED))
          .isInstanceOf(BusyException.class)
          .hasMessageContaining("process " + writer.pid())
          .hasMessageContaining("active");
    }
  }

  @Test
  void writer_listedAsTask_startIsNowAndWriterIsTheTask() throws IOException {
    try (LockHolder writer = LockHolder.shared(lockFile())) {
      tasks(task(writer.pid(), T - 72_000, "backup"), task(1, T - 60, "backup"));
      try (StoreLock lock = take(LockMode.SHARED)) {
        assertThat(lock.startSeconds()).isEqualTo(T);
        assertThat(lock.oldestWriterSeconds()).isEqualTo(T - 72_000);
      }
    }
  }

  @Test
  void writer_listedAsStartedLater_neverYoungerThanTheStart() throws IOException {
    try (LockHolder writer = LockHolder.shared(lockFile())) {
      tasks(task(writer.pid(), T + 5, "backup"));
      try (StoreLock lock = take(LockMode.SHARED)) {
        assertThat(lock.oldestWriterSeconds()).isEqualTo(T);
      }
    }
  }

  @Test
  void writer_exclusiveWanted_busy() throws IOException {
    try (LockHolder writer = LockHolder.shared(lockFile())) {
      tasks(task(writer.pid(), T - 72_000, "backup"));
      assertThatThrownBy(() -> take(LockMode.EXCLUSIVE)).isInstanceOf(BusyException.class);
    }
  }

  @Test
  @Timeout(20)
  void writer_endsWhileWaiting_startIsTakenAnew() {
    clock = EpochClock.SYSTEM;
    wait = Duration.ofMinutes(1);
    LockHolder writer = LockHolder.shared(lockFile());
    long[] ended = new long[1];
    Thread.ofPlatform()
        .start(
            () -> {
              stop.sleep(1200);
              ended[0] = clock.wallNanos();
              writer.close();
            });
    try (StoreLock lock = take(LockMode.SHARED)) {
      assertThat(lock.startSeconds()).isGreaterThanOrEqualTo((ended[0] - 20_000_000) / SECOND);
      assertThat(lock.oldestWriterSeconds()).isEqualTo(lock.startSeconds());
    }
    assertThat(faults.count("fcntl")).isBetween(3L, 10L);
    assertThat(lines.lines()).singleElement().asString().contains("Waiting for backups");
  }

  @Test
  @Timeout(20)
  void writer_waitedForLong_aLineEveryThirtySeconds() {
    LockHolder writer = LockHolder.shared(lockFile());
    wait = Duration.ofSeconds(95);
    clock =
        new EpochClock() {
          private long now;

          @Override
          public long wallNanos() {
            return T * SECOND + now;
          }

          @Override
          public long monotonicNanos() {
            now += 10 * SECOND;
            return now;
          }
        };
    try (writer) {
      assertThatThrownBy(() -> take(LockMode.SHARED)).isInstanceOf(BusyException.class);
    }
    assertThat(lines.lines()).hasSize(3);
  }

  @Test
  @Timeout(20)
  void writer_outlastsTheWait_tasksAreAsked() throws IOException {
    clock = EpochClock.SYSTEM;
    wait = Duration.ofMillis(400);
    try (LockHolder writer = LockHolder.shared(lockFile())) {
      tasks(task(writer.pid(), T, "backup"));
      try (StoreLock lock = take(LockMode.SHARED)) {
        assertThat(lock.oldestWriterSeconds()).isEqualTo(T);
        assertThat(lock.startSeconds()).isGreaterThan(T);
      }
    }
    assertThat(faults.count("fcntl")).isGreaterThanOrEqualTo(3);
  }

  @Test
  @Timeout(20)
  void stop_whileWaiting_endsAndReleases() {
    clock = EpochClock.SYSTEM;
    wait = Duration.ofDays(1);
    try (LockHolder writer = LockHolder.shared(lockFile())) {
      assertThat(writer.pid()).isPositive();
      stop.request();
      assertThatThrownBy(() -> take(LockMode.SHARED)).isInstanceOf(StoppedException.class);
    }
    take(LockMode.EXCLUSIVE).close();
  }
}
