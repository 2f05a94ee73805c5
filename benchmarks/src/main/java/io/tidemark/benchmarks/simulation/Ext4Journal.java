package io.tidemark.benchmarks.simulation;

/** The writes of ext4 with its journal (data=ordered) on one device. */
final class Ext4Journal implements Writes {
  /*
   * A changed block belongs to the running transaction, and cannot be written to its place before
   * that commits: after 5 seconds, or when it has a quarter of the journal. The commit writes each
   * of its blocks to the journal, in large requests. A block goes to its place
   * - when the journal lacks room for another transaction: the blocks of the oldest one that no
   *   later one has, in the order in which they were changed;
   * - when the flusher comes, after 30 seconds or because memory is short: all blocks that are
   *   committed, in ascending order, so that neighbours share a request.
   */
  private static final double COMMIT_SECONDS = 5;
  private static final double FLUSH_SECONDS = 30;
  private static final int BLOCK = 4096;
  private static final int REQUEST = 512 << 10;
  private static final int CHECKPOINT_BATCH = 64;

  private final DirtyBlocks dirty;
  private final int[] transactionOf;
  private final BlockRing journal = new BlockRing();
  private final long journalBlocks;
  private final long commitOperations;
  private final double commitRequests;
  private final long flushOperations;
  private int running = 1;
  private int runningBlocks;
  private long committedBlocks;
  private double journalRequests;
  private long sinceCommit;
  private long sinceFlush;
  private long checkpointed;
  private int flushes;

  Ext4Journal(Layout layout, Pace pace) {
    dirty = new DirtyBlocks(layout, REQUEST);
    transactionOf = new int[layout.blocks];
    journalBlocks = Math.max(64, pace.journalBytes() / BLOCK);
    commitRequests = 1 / pace.scale();
    commitOperations = pace.operations(COMMIT_SECONDS);
    flushOperations = pace.operations(FLUSH_SECONDS);
  }

  @Override
  public void dirty(int block, int records) {
    dirty.add(block);
    if (transactionOf[block] != running) {
      transactionOf[block] = running;
      journal.add(block, running);
      runningBlocks++;
    }
  }

  @Override
  public boolean isDirty(int block) {
    return dirty.contains(block);
  }

  @Override
  public void operation() {
    sinceCommit++;
    sinceFlush++;
    if (runningBlocks >= journalBlocks / 4 || sinceCommit >= commitOperations) {
      commit();
    }
    if (sinceFlush >= flushOperations) {
      flush();
    }
  }

  private void commit() {
    sinceCommit = 0;
    if (runningBlocks == 0) {
      return;
    }
    long bytes = (runningBlocks + 2L) * BLOCK;
    journalRequests += commitRequests + (double) bytes / REQUEST;
    dirty.addRequests(0, bytes);
    committedBlocks += runningBlocks;
    running++;
    runningBlocks = 0;
    while (committedBlocks > journalBlocks - journalBlocks / 4) {
      checkpoint();
    }
  }

  private void checkpoint() {
    long oldest = journal.mark();
    while (!journal.isEmpty() && journal.mark() == oldest) {
      int block = journal.block();
      if (transactionOf[block] == oldest && dirty.contains(block)) {
        dirty.write(block);
        if (++checkpointed % CHECKPOINT_BATCH == 0) {
          dirty.endRequest();
        }
      }
      journal.drop();
      committedBlocks--;
    }
  }

  private void flush() {
    sinceFlush = 0;
    flushes++;
    dirty.writeAll(block -> transactionOf[block] < running);
  }

  @Override
  public void pressed() {
    if (dirty.count() > runningBlocks) {
      flush();
    }
  }

  @Override
  public void finish() {
    commit();
    flush();
  }

  @Override
  public int flushes() {
    return flushes;
  }

  @Override
  public long requests() {
    return dirty.requests() + Math.round(journalRequests);
  }

  @Override
  public long bytes() {
    return dirty.bytes();
  }
}
