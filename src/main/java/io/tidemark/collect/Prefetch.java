package io.tidemark.collect;

import io.tidemark.report.Span;
import io.tidemark.report.StoppedException;
import io.tidemark.work.Workers;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Reads all chunk directories before the mark, for what that loads into memory. */
final class Prefetch {
  /*
   * It helps as long as what was loaded stays in memory: about 512 bytes a chunk on ZFS. A failure
   * is a warning and the run goes on without; a request to stop is not swallowed.
   */
  private final RunState state;
  private final Workers<Hand> workers;
  private final LongAdder entries = new LongAdder();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger percent = new AtomicInteger();

  Prefetch(RunState state, Workers<Hand> workers) {
    this.state = state;
    this.workers = workers;
  }

  void run() {
    state.log.info("Start GC chunk metadata prefetch");
    long start = state.environment.clock().monotonicNanos();
    try {
      workers.run("list", state.chunkDirectories, this::read);
    } catch (StoppedException e) {
      throw e;
    } catch (RuntimeException e) {
      state.log.warn(
          "prefetch-failed",
          "warning: chunk metadata prefetch failed, going on without: " + e.getMessage(),
          "");
      return;
    }
    long nanos = state.environment.clock().monotonicNanos() - start;
    state.log.info(
        "Chunk metadata prefetch done, %d entries in %s"
            .formatted(entries.sum(), Span.format(nanos / 1_000_000_000)));
  }

  private void read(Hand hand, int prefix) {
    state.stop.check();
    if (hand.directory.open(prefix)) {
      entries.add(hand.directory.count());
    }
    int reached = (int) (done.incrementAndGet() * 100L / state.chunkDirectories);
    int before = percent.getAndAccumulate(reached, Math::max);
    if (reached > before) {
      state.log.info("prefetched %d%% (%d entries)".formatted(reached, entries.sum()));
    }
  }
}
