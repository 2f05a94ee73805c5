package io.tidemark.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.guard.Tripwires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts the system calls that a chunk costs: one more a chunk is a defect. */
final class SystemCallsTest {
  private static final int USED = 60;
  private static final int UNUSED = 25;
  private static final List<String> CALLS =
      List.of(
          "utimensat", "statx", "renameat2", "unlinkat", "openByHandleAt", "openat", "getdents64");

  @TempDir Path temporary;

  @Test
  void deferred_aChunkInUse_costsOneTouchAndOneStat() throws IOException {
    Map<String, Long> calls = callsForChunks(Strategy.DEFERRED);

    assertThat(calls)
        .containsEntry("utimensat", (long) USED)
        .containsEntry("renameat2", (long) UNUSED)
        .containsEntry("unlinkat", (long) UNUSED)
        .containsEntry("openByHandleAt", 0L);
    assertThat(calls.get("statx")).isEqualTo(USED + 2L * UNUSED);
  }

  @Test
  void deferred_aDirectory_isOpenedOnceAFlushAndOnceASweep() throws IOException {
    Map<String, Long> calls = callsForChunks(Strategy.DEFERRED);

    assertThat(calls.get("openat")).isLessThanOrEqualTo(2L * (USED + UNUSED));
    assertThat(calls.get("getdents64")).isLessThanOrEqualTo(4L * (USED + UNUSED));
  }

  @Test
  void ordered_anUnusedChunk_isTheOnlyOneThatTheSweepLooksAt() throws IOException {
    Map<String, Long> calls = callsForChunks(Strategy.ORDERED);

    assertThat(calls)
        .containsEntry("utimensat", (long) USED)
        .containsEntry("renameat2", (long) UNUSED)
        .containsEntry("unlinkat", (long) UNUSED);
    // Beside each touch one for the size; two for each candidate; with handles, one for each
    // candidate in the order of inodes, and one a directory.
    boolean byHandle = calls.getOrDefault("openByHandleAt", 0L) > 0;
    long least = USED + 2L * UNUSED;
    assertThat(calls.get("statx"))
        .isBetween(least, byHandle ? least + UNUSED + USED + UNUSED + 8 : least);
    assertThat(calls.get("openByHandleAt")).isIn(0L, (long) USED + UNUSED);
  }

  /** Returns what a run does more with the chunks than without them, each in its own directory. */
  private Map<String, Long> callsForChunks(Strategy strategy) throws IOException {
    Map<String, Long> without = calls(temporary.resolve("without"), strategy, 0, 0);
    Map<String, Long> with = calls(temporary.resolve("with"), strategy, USED, UNUSED);
    with.replaceAll((call, count) -> count - without.getOrDefault(call, 0L));
    return with;
  }

  private static Map<String, Long> calls(Path folder, Strategy strategy, int used, int unused)
      throws IOException {
    Files.createDirectories(folder);
    try (StoreFixture store = new StoreFixture(folder)) {
      List<Chunk> chunks = new ArrayList<>();
      chunks.add(store.chunk(StoreFixture.OLD));
      for (int i = 0; i < used; i++) {
        chunks.add(store.chunk(StoreFixture.OLD));
      }
      store.snapshot(chunks.toArray(Chunk[]::new));
      for (int i = 0; i < unused; i++) {
        store.chunk(StoreFixture.OLD);
      }
      // Without the sample of up to 16,384 chunks, which in a small store means all of them.
      Tripwires wires = Tripwires.STANDARD.withMaxRemoval(100);
      Report report =
          store.collect(options -> options.strategy(strategy).workers(1).tripwires(wires));
      assertThat(report.status().removedChunks()).isEqualTo(unused);
      Map<String, Long> counts = new HashMap<>();
      for (String call : CALLS) {
        counts.put(call, store.faults.count(call));
      }
      return counts;
    }
  }
}
