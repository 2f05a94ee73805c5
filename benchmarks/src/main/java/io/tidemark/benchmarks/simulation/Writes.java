package io.tidemark.benchmarks.simulation;

/** How changed blocks reach the device: a file system's journal, log or transactions. */
interface Writes {
  /**
   * Notes that a block was changed.
   *
   * @param records how many records of a log that takes
   */
  void dirty(int block, int records);

  /** Tells whether a block must be written before it can leave the cache. */
  boolean isDirty(int block);

  /** Notes that an operation has ended, after which transactions may end. */
  void operation();

  /** Writes what may be written now, since memory is short. */
  void pressed();

  /** Writes everything. */
  void finish();

  /** Returns a number that grows with each flush of everything, after which inodes are clean. */
  int flushes();

  long requests();

  long bytes();
}
