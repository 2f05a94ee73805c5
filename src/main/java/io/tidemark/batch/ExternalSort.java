package io.tidemark.batch;

import io.tidemark.report.Point;
import io.tidemark.report.Points;
import io.tidemark.report.StopToken;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Sorts more rows than fit into memory and drops duplicates; belongs to one thread. */
public final class ExternalSort implements AutoCloseable {
  /*
   * Rows gather in memory. When that is full they are sorted and duplicates are dropped; if this
   * leaves more than half, they become a run on disk. finish() merges the runs and what is still in
   * memory, reading each run once. When everything fitted, nothing is ever written.
   *
   * The merge holds one block of each run, and as many runs as the memory of rowsInMemory rows has
   * room for, 64 at most; with 2^20 rows that is 64 blocks of 0.6 MB. Runs beyond that are merged
   * into longer ones first: the shortest ones at the end, as few as will do, and before that
   * whenever there are twice as many runs as one merge takes. The latter bounds the open files (to
   * 128), and the disk space: references repeat from one index to the next, and a merge of 64 runs
   * drops what they have in common. Each row is written once up to 64 runs, and
   * about twice up to 4,096.
   *
   * After an exception the sort is closed, so that nobody can take what is left for the whole.
   */
  private static final int MOST_SOURCES = 64;
  private static final int FEWEST_SOURCES = 16;
  private static final int SMALLEST_BLOCK = 64;

  private final int stride;
  private final int uniqueColumns;
  private final int rowsInMemory;
  private final SpillDirectory spill;
  private final StopToken stop;
  private final Points points;
  private final Rows rows;
  private final List<Run> runs = new ArrayList<>();
  private final Block block;
  private final int fanIn;
  private boolean finished;
  private long rowsAdded;
  private int spilledRuns;
  private long spilledBytes;

  /**
   * @param stride words a row, 4 or 5
   * @param uniqueColumns rows that are equal in so many leading columns are duplicates, of which
   *     the first in order stays (of equal rows: the one with the smallest tag); 0 keeps all
   * @param rowsInMemory how many rows to gather before some are spilled
   */
  public ExternalSort(
      int stride, int uniqueColumns, int rowsInMemory, SpillDirectory spill, StopToken stop) {
    this(stride, uniqueColumns, rowsInMemory, spill, stop, Points.NONE);
  }

  /**
   * Makes the same, with {@code points} to be told of each run.
   *
   * @param stride words a row, 4 or 5
   * @param uniqueColumns rows that are equal in so many leading columns are duplicates
   * @param rowsInMemory how many rows to gather before some are spilled
   */
  public ExternalSort(
      int stride,
      int uniqueColumns,
      int rowsInMemory,
      SpillDirectory spill,
      StopToken stop,
      Points points) {
    this.points = points;
    this.stride = stride;
    this.uniqueColumns = uniqueColumns;
    this.rowsInMemory = rowsInMemory;
    this.spill = spill;
    this.stop = stop;
    rows = new Rows(stride, rowsInMemory);
    int blockRows =
        Math.clamp(rowsInMemory / MOST_SOURCES, SMALLEST_BLOCK, Block.maximumRows(stride));
    fanIn = Math.clamp(rowsInMemory / blockRows, FEWEST_SOURCES, MOST_SOURCES);
    block = new Block(stride, blockRows);
  }

  /** Adds a row of four words. */
  public void add(long w0, long w1, long w2, long w3, int tag) {
    makeRoom();
    rows.add(w0, w1, w2, w3, tag);
  }

  /** Adds a row of five words. */
  public void add(long w0, long w1, long w2, long w3, long w4, int tag) {
    makeRoom();
    rows.add(w0, w1, w2, w3, w4, tag);
  }

  /** Adds all of {@code more}, rows of five words. */
  public void addAll(Rows more) {
    for (int row = 0; row < more.size(); row++) {
      add(
          more.word(row, 0),
          more.word(row, 1),
          more.word(row, 2),
          more.word(row, 3),
          more.word(row, 4),
          more.tag(row));
    }
  }

  private void makeRoom() {
    if (finished) {
      throw new IllegalStateException("the sort is finished");
    }
    if (rows.isFull()) {
      try {
        sortInMemory();
        if (rows.size() > rowsInMemory / 2) {
          spill();
        }
      } catch (RuntimeException | Error e) {
        close();
        throw e;
      }
    }
    rowsAdded++;
  }

  private void spill() {
    if (runs.size() == 2 * fanIn) {
      mergeShortest(fanIn);
    }
    runs.add(write(new SortedRows(rows)));
    rows.clear();
    points.reach(Point.RUN_SPILLED);
  }

  /**
   * Returns all rows in ascending order, to be read before the sort is closed; no more can be
   * added.
   */
  public RowStream finish() {
    if (finished) {
      throw new IllegalStateException("the sort is finished");
    }
    finished = true;
    try {
      sortInMemory();
      return runs.isEmpty() ? new SortedRows(rows) : merge();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private RowStream merge() {
    while (runs.size() > fanIn) {
      mergeShortest(Math.min(fanIn, runs.size() - fanIn + 1));
    }
    List<RowSource> sources = new ArrayList<>(runs);
    sources.add(new SortedRows(rows));
    return new Merge(stride, uniqueColumns, block.rows(), sources);
  }

  private void sortInMemory() {
    stop.check();
    rows.sort(stop);
    if (uniqueColumns > 0) {
      rows.dropDuplicates(uniqueColumns);
    }
  }

  private void mergeShortest(int count) {
    runs.sort(Comparator.comparingLong(Run::rows));
    List<Run> shortest = runs.subList(0, count);
    Run merged = write(new Merge(stride, uniqueColumns, block.rows(), shortest));
    shortest.forEach(Run::close);
    shortest.clear();
    runs.add(merged);
  }

  private Run write(RowSource source) {
    Run run = Run.write(source, spill.create(), block, stop);
    spilledRuns++;
    spilledBytes += run.bytes();
    return run;
  }

  /** Returns how many runs were written, those that a merge wrote again included. */
  public int spilledRuns() {
    return spilledRuns;
  }

  /** Returns how many bytes were written, those that a merge wrote again included. */
  public long spilledBytes() {
    return spilledBytes;
  }

  /** Returns how many rows were added, duplicates included. */
  public long rowsAdded() {
    return rowsAdded;
  }

  /** Gives back the memory and the disk space. */
  @Override
  public void close() {
    finished = true;
    runs.forEach(Run::close);
    runs.clear();
    rows.release();
  }
}
