package io.tidemark.warm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FaultyCalls;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import io.tidemark.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WarmAheadTest {
  private static final int DIRECTORIES = 12;

  @TempDir Path temporary;
  private final FaultyCalls faults = new FaultyCalls();
  private final WarmDirectories warm = new WarmDirectories(Rewarm.AUTO);

  @Test
  void directories_upToTheDistance_areReadOnceEach() throws Exception {
    CountDownLatch beyond = new CountDownLatch(1);
    CountDownLatch third = new CountDownLatch(1);
    faults.before("openat", "0003", 1, third::countDown);
    faults.before("openat", "0004", 1, beyond::countDown);
    run(
        AheadDistance.fixed(3),
        ahead -> {
          assertThat(ahead.reach(0)).isEqualTo(WarmAhead.Reached.NOT_READ);
          assertThat(third.await(20, TimeUnit.SECONDS)).isTrue();
          assertThat(beyond.getCount()).isEqualTo(1);
          for (int index = 1; index <= 3; index++) {
            assertThat(ahead.reach(index)).isEqualTo(WarmAhead.Reached.READ_AHEAD);
          }
          assertThat(beyond.await(20, TimeUnit.SECONDS)).isTrue();
        });
    assertThat(warm.needsWarming(1)).isFalse();
  }

  @Test
  void directories_atDistanceZero_areLeftToTheFlush() throws Exception {
    run(
        AheadDistance.fixed(0),
        ahead -> {
          for (int index = 0; index < DIRECTORIES; index++) {
            assertThat(ahead.reach(index)).isEqualTo(WarmAhead.Reached.NOT_READ);
          }
        });
    assertThat(faults.count("getdents64")).isZero();
  }

  @Test
  void directory_cannotBeOpened_doesNotHoldUpTheFlush() throws Exception {
    faults.failOn("openat", "00", Errno.EIO);
    run(
        AheadDistance.fixed(4),
        ahead -> {
          for (int index = 0; index < DIRECTORIES; index++) {
            ahead.reach(index);
          }
        });
    assertThat(faults.count("getdents64")).isZero();
  }

  /** What a test does with a reader. */
  private interface Use {
    void of(WarmAhead ahead) throws InterruptedException;
  }

  private void run(AheadDistance distance, Use use) throws IOException, InterruptedException {
    for (int prefix = 0; prefix < DIRECTORIES; prefix++) {
      Files.createDirectories(temporary.resolve(".chunks/%04x".formatted(prefix)));
    }
    try (SystemCalls calls = Posix.open();
        ChunkStore store = ChunkStore.open(calls, temporary.toString());
        WarmAhead ahead =
            new WarmAhead(
                () -> store.directory(faults.source()),
                new Warmer(warm, new StopToken(), new RunLog()),
                distance)) {
      ahead.start(DIRECTORIES, index -> index);
      use.of(ahead);
    }
  }
}
