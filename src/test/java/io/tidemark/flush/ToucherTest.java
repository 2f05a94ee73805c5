package io.tidemark.flush;

import static io.tidemark.collect.StoreFixture.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tidemark.collect.StoreFixture;
import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.digest.RecentDigests;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.ChunkStore;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToucherTest {
  private static final int TOUCHES = 20_000;

  @TempDir private Path temporary;

  @Test
  void touch_manyChunks_allocatesNothing() {
    try (StoreFixture fixture = new StoreFixture(temporary);
        SystemCalls calls = Posix.open();
        ChunkStore store = ChunkStore.open(calls, fixture.base.toString());
        ChunkDirectory directory = store.directory(calls)) {
      Chunk chunk = fixture.chunk(OLD);
      LongAdder touched = new LongAdder();
      Toucher toucher = new Toucher(new MissingChunks(owner -> "", new RunLog()), touched);
      RecentDigests recent = new RecentDigests(100);
      ByteBuffer words = ByteBuffer.wrap(chunk.bytes());
      long w0 = words.getLong();
      long w1 = words.getLong();
      long w2 = words.getLong();
      long w3 = words.getLong();
      directory.open((int) (w0 >>> 48));
      Runnable touches =
          () -> {
            for (int i = 0; i < TOUCHES; i++) {
              recent.seen(w0, w1 + i, w2, w3);
              toucher.touch(directory, w0, w1, w2, w3, 0);
            }
          };
      touches.run();

      long bytes = Long.MAX_VALUE;
      for (int attempt = 0; attempt < 5 && bytes > TOUCHES; attempt++) {
        long before = allocated();
        touches.run();
        bytes = allocated() - before;
      }

      // The compiler may still be at work in this thread's time; a byte a chunk is nothing.
      assertThat(bytes).isLessThan(TOUCHES);
      assertThat(touched.sum()).isGreaterThanOrEqualTo(2 * TOUCHES);
      assertThat(fixture.used(chunk)).isAfterOrEqualTo(fixture.now);
    }
  }

  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().threadId());
  }
}
