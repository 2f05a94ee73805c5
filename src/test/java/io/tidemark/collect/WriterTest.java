package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.unchecked;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.store.LockHolder;
import io.tidemark.store.LockMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups that run while a collection starts. */
class WriterTest {
  private static final Duration BEGUN = Duration.ofHours(20);

  @TempDir private Path temporary;
  private StoreFixture store;
  private Chunk used;

  @BeforeEach
  void make() {
    store = new StoreFixture(temporary);
    used = store.chunk(OLD);
    store.snapshot(used);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void listTask(int pid) {
    String task =
        "UPID:pbs:%08X:00000001:00000001:%08X:backup:shop:root@pam:\n"
            .formatted(pid, store.now.minus(BEGUN).getEpochSecond());
    Path list = Path.of(store.host.tasks(), "active");
    unchecked(
        () -> {
          Files.createDirectories(list.getParent());
          Files.writeString(list, task);
        });
  }

  @Test
  void backup_runsForTwentyHours_whatItHasUsedSinceStays() {
    Chunk base = store.chunk(BEGUN.minusMinutes(1));
    Chunk justBefore = store.chunk(BEGUN.plusMinutes(4));
    store.chunk(BEGUN.plusMinutes(6));
    try (LockHolder backup = LockHolder.shared(store.base.resolve(".lock"))) {
      listTask(backup.pid());

      Report report = store.collect(options -> options.graceMinutes(1));

      assertThat(report.outcome()).isEqualTo(Outcome.DONE);
      store.assertSurvivors(used, base, justBefore);
      assertThat(report.status().pendingChunks()).isEqualTo(1);
      assertThat(report.status().diskChunks()).isEqualTo(2);
    }
  }

  @Test
  void backup_ofUnknownAge_busyAndNothingDone() {
    store.chunk(OLD);
    store.remember();
    try (LockHolder backup = LockHolder.shared(store.base.resolve(".lock"))) {
      Report report = store.collect();

      assertThat(report.outcome()).isEqualTo(Outcome.BUSY);
      assertThat(report.error().orElseThrow()).contains("process " + backup.pid());
      store.assertUnchanged();
    }
  }

  @Test
  void serversOwnCollection_runs_busyAndNothingDone() {
    store.chunk(OLD);
    store.remember();
    try (LockHolder collection = LockHolder.exclusive(store.base.resolve(".lock"))) {
      assertThat(collection.pid()).isPositive();
      assertThat(store.collect().outcome()).isEqualTo(Outcome.BUSY);
      assertThat(store.collect(options -> options.lockMode(LockMode.EXCLUSIVE)).outcome())
          .isEqualTo(Outcome.BUSY);
      store.assertUnchanged();
    }
  }
}
