package io.tidemark.collect;

import io.tidemark.batch.ExternalSort;
import io.tidemark.batch.Rows;
import io.tidemark.batch.SpillDirectory;
import io.tidemark.report.Points;
import io.tidemark.report.StopToken;
import java.util.function.Supplier;

/**
 * Makes the external sorts of one run, which share its memory.
 *
 * @param memoryBytes what the rows of all sorts may take
 */
record Sorts(long memoryBytes, SpillDirectory spill, StopToken stop, Points points) {
  /*
   * The references are there from the beginning to the end of the walk, the touches and candidates
   * grow meanwhile: three eighths each for references and touches, and one for the candidates; the
   * last eighth is for the directories at hand. A sort that is not full takes what it needs.
   */
  private static final int FEWEST_ROWS = 1024;

  ExternalSort references() {
    return sort(4, 4, memoryBytes * 3 / 8);
  }

  /** Makes one of references with a fifth word for who has them, each pair once. */
  ExternalSort owned() {
    return sort(5, 5, memoryBytes * 3 / 4);
  }

  Supplier<ExternalSort> touches() {
    return () -> sort(5, 0, memoryBytes * 3 / 8);
  }

  ExternalSort candidates() {
    return sort(5, 0, memoryBytes / 8);
  }

  private ExternalSort sort(int stride, int uniqueColumns, long bytes) {
    long rows = bytes / Rows.bytes(stride, 1);
    return new ExternalSort(
        stride,
        uniqueColumns,
        Math.clamp(rows, FEWEST_ROWS, Rows.maximumCapacity(stride)),
        spill,
        stop,
        points);
  }
}
