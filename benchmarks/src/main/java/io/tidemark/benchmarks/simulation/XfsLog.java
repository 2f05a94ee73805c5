package io.tidemark.benchmarks.simulation;

/** The writes of XFS with its log. */
final class XfsLog implements Writes {
  /*
   * Changes gather in memory (each as a record of some 250 bytes) and go to the log when they have
   * an eighth of it, in requests of 32 KiB. A block goes to its place with all its changes
   * - when the log has less than a quarter left: those changed first, one after the other;
   * - all of them in ascending order, after 30 seconds or, when memory is short, after each time
   *   that changes went to the log.
   */
  private static final double PUSH_SECONDS = 30;
  private static final int RECORD = 250;
  private static final int LOG_REQUEST = 32 << 10;
  private static final int REQUEST = 512 << 10;
  private static final long MOST_GATHERED = 32 << 20;

  private final DirtyBlocks dirty;
  private final BlockRing order = new BlockRing();
  private final long logBytes;
  private final long mostGathered;
  private final long pushOperations;
  private long gathered;
  private long logged;
  private long sincePush;
  private boolean memoryShort;
  private int flushes;

  XfsLog(Layout layout, Pace pace) {
    dirty = new DirtyBlocks(layout, REQUEST);
    logBytes = pace.journalBytes();
    mostGathered = Math.min(logBytes / 8, (long) (MOST_GATHERED / pace.scale()));
    pushOperations = pace.operations(PUSH_SECONDS);
  }

  @Override
  public void dirty(int block, int records) {
    if (!dirty.contains(block)) {
      order.add(block, logged);
      dirty.add(block);
    }
    gathered += (long) records * RECORD;
  }

  @Override
  public boolean isDirty(int block) {
    return dirty.contains(block);
  }

  @Override
  public void operation() {
    sincePush++;
    if (gathered >= mostGathered) {
      log();
      if (memoryShort) {
        flush();
      }
      while (!order.isEmpty() && logged - order.mark() > logBytes / 4 * 3) {
        if (dirty.contains(order.block())) {
          dirty.write(order.block());
        }
        order.drop();
      }
    }
    if (sincePush >= pushOperations) {
      log();
      flush();
    }
  }

  private void log() {
    dirty.addRequests((gathered + LOG_REQUEST - 1) / LOG_REQUEST, gathered);
    logged += gathered;
    gathered = 0;
  }

  private void flush() {
    sincePush = 0;
    memoryShort = false;
    flushes++;
    dirty.writeAll(block -> true);
    while (!order.isEmpty()) {
      order.drop();
    }
  }

  @Override
  public void pressed() {
    memoryShort = true;
  }

  @Override
  public void finish() {
    log();
    flush();
  }

  @Override
  public int flushes() {
    return flushes;
  }

  @Override
  public long requests() {
    return dirty.requests();
  }

  @Override
  public long bytes() {
    return dirty.bytes();
  }
}
