package io.tidemark.batch;

import io.tidemark.report.StopToken;

/** Sorted rows in a spill file of their own; they are written once and read once. */
final class Run implements RowSource, AutoCloseable {
  private final SpillFile file;
  private final Block block;
  private final StopToken stop;
  private long rows;
  private long bytes;
  private long rowsRead;
  private long bytesRead;

  private Run(SpillFile file, Block block, StopToken stop) {
    this.file = file;
    this.block = block;
    this.stop = stop;
  }

  /** Writes all rows of {@code source} to {@code file}, which the run owns from then on. */
  static Run write(RowSource source, SpillFile file, Block block, StopToken stop) {
    Run run = new Run(file, block, stop);
    try {
      run.writeAll(source);
      return run;
    } catch (RuntimeException | Error e) {
      run.close();
      throw e;
    }
  }

  private void writeAll(RowSource source) {
    long[] words = new long[block.rows() * block.stride()];
    int[] tags = new int[block.rows()];
    for (int count = source.read(words, tags); count > 0; count = source.read(words, tags)) {
      stop.check();
      block.write(words, tags, count, file, bytes);
      rows += count;
      bytes += block.bytes(count);
    }
  }

  long rows() {
    return rows;
  }

  /** Returns the length of the file. */
  long bytes() {
    return bytes;
  }

  @Override
  public int read(long[] into, int[] intoTags) {
    stop.check();
    int count = (int) Math.min(block.rows(), rows - rowsRead);
    if (count > 0) {
      block.read(into, intoTags, count, file, bytesRead);
      rowsRead += count;
      bytesRead += block.bytes(count);
    }
    return count;
  }

  @Override
  public void close() {
    file.close();
  }
}
