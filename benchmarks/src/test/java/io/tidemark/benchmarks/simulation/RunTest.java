package io.tidemark.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunTest {
  private static final int USED = 20_000;

  private static Run.Figures run(String fs, Plan plan, int batchSize, long cacheBytes) {
    Store store = new Store(new Shape(USED, 4_000, 1_000, 64, 0, 6, 5, 0.1, 0, 0));
    return Run.simulate(
        store,
        new Run.Setting(
            FileSystem.of(fs), plan, batchSize, 0, cacheBytes, Cache.Charge.ALL, 100, 64 << 20, 1));
  }

  @ParameterizedTest
  @CsvSource({"ext4", "xfs", "btrfs", "zfs"})
  void simulate_withMemoryForAll_readsNothingTwice(String fs) {
    for (Plan plan : Plan.values()) {
      Run.Figures figures = run(fs, plan, 1_000, 1L << 40);
      assertThat(figures.readBytes())
          .as("%s", plan)
          .isBetween(figures.metadataBytes() / 2, figures.metadataBytes());
    }
  }

  @ParameterizedTest
  @CsvSource({"ext4", "xfs", "btrfs", "zfs"})
  void simulate_withLittleMemory_readsLessInOrder(String fs) {
    Run.Figures immediate = run(fs, Plan.IMMEDIATE, 1, 2 << 20);
    Run.Figures deferred = run(fs, Plan.DEFERRED, Integer.MAX_VALUE, 2 << 20);
    assertThat(deferred.touches()).isEqualTo(USED);
    assertThat(immediate.touches()).isEqualTo(immediate.references());
    assertThat(deferred.markReads()).isLessThan(immediate.markReads() / 2);
    assertThat(run(fs, Plan.ORDERED_NAME, 1, 2 << 20).markWrites())
        .isLessThan(deferred.markWrites());
  }

  @ParameterizedTest
  @CsvSource({"ext4", "btrfs"})
  void simulate_byHandle_readsLessThanByName(String fs) {
    Run.Figures byHandle = run(fs, Plan.ORDERED_HANDLE, 1, 2 << 20);
    Run.Figures byName = run(fs, Plan.ORDERED_NAME, 1, 2 << 20);
    assertThat(byHandle.markReads()).isLessThan(byName.markReads() / 2);
    assertThat(byHandle.reads()).isLessThan(byName.reads());
  }
}
