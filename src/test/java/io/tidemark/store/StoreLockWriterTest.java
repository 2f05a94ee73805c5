package io.tidemark.store;

import static io.tidemark.store.LockFixture.SECOND;
import static io.tidemark.store.LockFixture.T;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.report.StoppedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class StoreLockWriterTest {
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
  void writer_ofUnknownAge_busy() {
    try (LockHolder writer = LockHolder.shared(store.lockFile())) {
      assertThatThrownBy(() -> store.take(LockMode.SHARED))
          .isInstanceOf(BusyException.class)
          .hasMessageContaining("process " + writer.pid())
          .hasMessageContaining("active");
    }
  }

  @Test
  void writer_listedAsTask_startIsNowAndWriterIsTheTask() throws IOException {
    try (LockHolder writer = LockHolder.shared(store.lockFile())) {
      store.tasks(LockFixture.backup(writer.pid(), T - 72_000), LockFixture.backup(1, T - 60));
      try (StoreLock lock = store.take(LockMode.SHARED)) {
        assertThat(lock.startSeconds()).isEqualTo(T);
        assertThat(lock.oldestWriterSeconds()).isEqualTo(T - 72_000);
      }
    }
  }

  @Test
  void writer_listedAsStartedLater_isOlderThanTheStartAllTheSame() throws IOException {
    try (LockHolder writer = LockHolder.shared(store.lockFile())) {
      store.tasks(LockFixture.backup(writer.pid(), T + 5));
      try (StoreLock lock = store.take(LockMode.SHARED)) {
        assertThat(lock.oldestWriterSeconds()).isEqualTo(T - 1);
      }
    }
  }

  /* Its chunks bear times of both before and after the clock was set back. */
  @Test
  void writer_listedAsStartedMuchLater_busy() throws IOException {
    try (LockHolder writer = LockHolder.shared(store.lockFile())) {
      store.tasks(LockFixture.backup(writer.pid(), T + 301));
      assertThatThrownBy(() -> store.take(LockMode.SHARED))
          .isInstanceOf(BusyException.class)
          .hasMessageContaining("the clock was set back");
    }
  }

  @Test
  void writer_exclusiveWanted_busy() throws IOException {
    try (LockHolder writer = LockHolder.shared(store.lockFile())) {
      store.tasks(LockFixture.backup(writer.pid(), T - 72_000));
      assertThatThrownBy(() -> store.take(LockMode.EXCLUSIVE)).isInstanceOf(BusyException.class);
    }
  }

  @Test
  @Timeout(20)
  void writer_endsWhileWaiting_startIsTakenAnew() {
    store.clock = EpochClock.SYSTEM;
    store.wait = Duration.ofMinutes(1);
    LockHolder writer = LockHolder.shared(store.lockFile());
    long[] ended = new long[1];
    Thread.ofPlatform()
        .start(
            () -> {
              store.stop.sleep(1200);
              ended[0] = store.clock.wallNanos();
              writer.close();
            });
    try (StoreLock lock = store.take(LockMode.SHARED)) {
      assertThat(lock.startSeconds()).isGreaterThanOrEqualTo((ended[0] - 20_000_000) / SECOND);
      assertThat(lock.oldestWriterSeconds()).isEqualTo(lock.startSeconds());
    }
    assertThat(store.faults.count("fcntl")).isBetween(3L, 10L);
    assertThat(store.log.lines()).singleElement().asString().contains("Waiting for backups");
  }

  @Test
  @Timeout(20)
  void writer_waitedForLong_aLineEveryThirtySeconds() {
    LockHolder writer = LockHolder.shared(store.lockFile());
    store.wait = Duration.ofSeconds(95);
    store.clock =
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
      assertThatThrownBy(() -> store.take(LockMode.SHARED)).isInstanceOf(BusyException.class);
    }
    assertThat(store.log.lines()).hasSize(3);
  }

  @Test
  @Timeout(20)
  void writer_outlastsTheWait_tasksAreAsked() throws IOException {
    store.clock = EpochClock.SYSTEM;
    store.wait = Duration.ofMillis(400);
    try (LockHolder writer = LockHolder.shared(store.lockFile())) {
      store.tasks(LockFixture.backup(writer.pid(), T));
      try (StoreLock lock = store.take(LockMode.SHARED)) {
        assertThat(lock.oldestWriterSeconds()).isEqualTo(T);
        assertThat(lock.startSeconds()).isGreaterThan(T);
      }
    }
    assertThat(store.faults.count("fcntl")).isGreaterThanOrEqualTo(3);
  }

  @Test
  @Timeout(20)
  void stop_whileWaiting_endsAndReleases() {
    store.clock = EpochClock.SYSTEM;
    store.wait = Duration.ofDays(1);
    try (LockHolder writer = LockHolder.shared(store.lockFile())) {
      assertThat(writer.pid()).isPositive();
      store.stop.request();
      assertThatThrownBy(() -> store.take(LockMode.SHARED)).isInstanceOf(StoppedException.class);
    }
    store.take(LockMode.EXCLUSIVE).close();
  }
}
