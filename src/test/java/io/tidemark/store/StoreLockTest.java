package io.tidemark.store;

import static io.tidemark.store.LockFixture.SECOND;
import static io.tidemark.store.LockFixture.T;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Errno;
import io.tidemark.posix.PosixException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreLockTest {
  @TempDir private Path directory;
  private LockFixture store;

  @BeforeEach
  void openStore() throws IOException {
    store = new LockFixture(directory);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void shared_nobodyElse_startIsNowAndNoWriterIsOlder() {
    try (StoreLock lock = store.take(LockMode.SHARED)) {
      assertThat(lock.startSeconds()).isEqualTo(T);
      assertThat(lock.oldestWriterSeconds()).isEqualTo(T);
      assertThat(lock.isExclusive()).isFalse();
    }
  }

  @Test
  void shared_justAfterAFullSecond_startIsTheSecondBefore() {
    store.clock = FakeClock.at(T * SECOND + 19_999_999);
    try (StoreLock lock = store.take(LockMode.SHARED)) {
      assertThat(lock.startSeconds()).isEqualTo(T - 1);
    }
  }

  @Test
  void shared_twentyMillisecondsAfterAFullSecond_startIsThatSecond() {
    store.clock = FakeClock.at(T * SECOND + 20_000_000);
    try (StoreLock lock = store.take(LockMode.SHARED)) {
      assertThat(lock.startSeconds()).isEqualTo(T);
    }
  }

  @Test
  void shared_held_backupsMayStartAndCollectionsMayNot() {
    try (StoreLock lock = store.take(LockMode.SHARED)) {
      assertThat(lock.isExclusive()).isFalse();
      LockHolder.shared(store.lockFile()).close();
      assertThatThrownBy(() -> LockHolder.exclusive(store.lockFile()).close())
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void exclusive_held_backupsMayNotStart() {
    try (StoreLock lock = store.take(LockMode.EXCLUSIVE)) {
      assertThat(lock.isExclusive()).isTrue();
      assertThat(lock.startSeconds()).isEqualTo(T);
      assertThat(lock.oldestWriterSeconds()).isEqualTo(T);
      assertThatThrownBy(() -> LockHolder.shared(store.lockFile()).close())
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void closed_either_everybodyMayLock(LockMode mode) {
    store.take(mode).close();
    LockHolder.exclusive(store.lockFile()).close();
    store.take(mode).close();
  }

  @ParameterizedTest
  @EnumSource
  void collectionElsewhere_either_busyNamesTheProcess(LockMode mode) {
    try (LockHolder server = LockHolder.exclusive(store.lockFile())) {
      assertThatThrownBy(() -> store.take(mode))
          .isInstanceOf(BusyException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("process " + server.pid());
    }
  }

  @Test
  void refused_earlier_nothingStaysLocked() {
    try (LockHolder server = LockHolder.exclusive(store.lockFile())) {
      assertThat(server.pid()).isPositive();
      assertThatThrownBy(() -> store.take(LockMode.SHARED)).isInstanceOf(BusyException.class);
    }
    store.take(LockMode.EXCLUSIVE).close();
  }

  @Test
  void secondRun_inThisProcess_busy() {
    try (StoreLock first = store.take(LockMode.SHARED)) {
      assertThatThrownBy(() -> store.take(LockMode.SHARED))
          .isInstanceOf(BusyException.class)
          .hasMessageContaining("another run of Tidemark");
      assertThat(first.isExclusive()).isFalse();
    }
    store.take(LockMode.SHARED).close();
  }

  @ParameterizedTest
  @ValueSource(ints = {Errno.EBADF, Errno.ENOLCK, Errno.EOPNOTSUPP, Errno.EINVAL})
  void flock_fileSystemHasNone_runGoesOn(int errno) {
    store.faults.fail("flock", 1, errno);
    store.take(LockMode.SHARED).close();
  }

  @Test
  void flock_ioError_fails() {
    store.faults.fail("flock", 1, Errno.EIO);
    assertThatThrownBy(() -> store.take(LockMode.SHARED))
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("EIO");
  }

  @ParameterizedTest
  @ValueSource(ints = {Errno.EAGAIN, Errno.EACCES})
  void recordLock_refused_busy(int errno) {
    store.faults.fail("fcntl", 1, errno);
    assertThatThrownBy(() -> store.take(LockMode.SHARED)).isInstanceOf(BusyException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void recordLock_noLocks_failsWithPath(int call) {
    store.faults.fail("fcntl", call, Errno.ENOLCK);
    assertThatThrownBy(() -> store.take(LockMode.SHARED))
        .isInstanceOf(PosixException.class)
        .hasMessageContaining(store.lockFile().toString())
        .hasMessageContaining("ENOLCK");
    assertThat(store.faults.count("close")).isEqualTo(2);
  }

  @Test
  void lockFile_missing_refusedAndNotCreated() throws IOException {
    Files.delete(store.lockFile());
    assertThatThrownBy(() -> store.take(LockMode.SHARED))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(".lock does not exist");
    assertThat(store.lockFile()).doesNotExist();
    assertThat(store.faults.count("close")).isEqualTo(1);
  }

  @Test
  void lockFile_missingInADryRun_goesOnWithoutLock() throws IOException {
    Files.delete(store.lockFile());
    store.access = Access.READ_ONLY;
    try (StoreLock lock = store.take(LockMode.EXCLUSIVE)) {
      assertThat(store.log.lines()).singleElement().asString().contains("goes on without a lock");
      assertThat(lock.startSeconds()).isEqualTo(T);
      assertThat(lock.isExclusive()).isFalse();
    }
    assertThat(store.lockFile()).doesNotExist();
    assertThat(store.faults.count("close")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {Errno.EROFS, Errno.EACCES})
  void lockFile_notWritableInADryRun_isLockedForReading(int errno) {
    store.access = Access.READ_ONLY;
    store.faults.fail("openat", 2, errno);
    try (StoreLock lock = store.take(LockMode.SHARED)) {
      assertThat(lock.startSeconds()).isEqualTo(T);
      assertThatThrownBy(() -> LockHolder.exclusive(store.lockFile()).close())
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void lockFile_notWritableInADryRun_cannotBeLockedExclusively() {
    store.access = Access.READ_ONLY;
    store.faults.fail("openat", 2, Errno.EROFS);
    assertThatThrownBy(() -> store.take(LockMode.EXCLUSIVE))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("can only be read");
  }

  @Test
  void lockFile_notWritable_fails() {
    store.faults.fail("openat", 2, Errno.EACCES);
    assertThatThrownBy(() -> store.take(LockMode.SHARED))
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("EACCES");
  }

  @Test
  void base_missing_fails() {
    assertThatThrownBy(() -> store.takeOf(directory + "/none", LockMode.SHARED))
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("/none: ENOENT");
  }
}
