package io.tidemark.benchmarks.simulation;

/** The writes of btrfs and ZFS, which write changed blocks to new places. */
final class CopyOnWrite implements Writes {
  /*
   * btrfs ends a transaction after 30 seconds. What memory pressure finds changed is written before
   * that, if it is 32 MiB or more; what changes afterwards is written again. On one device it keeps
   * metadata twice, and each block takes a request of its own. It also ends transactions early when
   * room for changed blocks is short, as on the small file systems that were measured; at what point
   * is not known, so that is left out, and what the model writes there is too little.
   *
   * ZFS ends a transaction group after 5 seconds, and writes nothing before. It keeps metadata
   * twice, and joins some requests. The 1.5 requests a block and the 100 a group are read off the
   * measurements with a large ARC, so that those do not test the writes.
   */
  private static final double BTRFS_SECONDS = 30;
  private static final double ZFS_SECONDS = 5;
  private static final long BTRFS_THRESHOLD = 32 << 20;
  private static final double BTRFS_COPIES = 2;
  private static final double ZFS_COPIES = 1.5;
  private static final int BTRFS_OVERHEAD = 20;
  private static final int ZFS_OVERHEAD = 100;

  private final DirtyBlocks dirty;
  private final FileSystem fs;
  private final long transactionOperations;
  private final double overhead;
  private final double threshold;
  private long since;
  private int flushes;
  private double requests;
  private double bytes;

  CopyOnWrite(Layout layout, Pace pace) {
    dirty = new DirtyBlocks(layout, 1);
    fs = layout.fs;
    boolean zfs = fs.kind() == FileSystem.Kind.ZFS;
    transactionOperations = pace.operations(zfs ? ZFS_SECONDS : BTRFS_SECONDS);
    threshold = BTRFS_THRESHOLD / pace.scale();
    overhead = (zfs ? ZFS_OVERHEAD : BTRFS_OVERHEAD) / pace.scale();
  }

  @Override
  public void dirty(int block, int records) {
    dirty.add(block);
  }

  @Override
  public boolean isDirty(int block) {
    return dirty.contains(block);
  }

  @Override
  public void operation() {
    if (++since >= transactionOperations) {
      endTransaction();
    }
  }

  private long changedBytes() {
    return (long) dirty.count() * fs.inodeBlock();
  }

  private void endTransaction() {
    since = 0;
    write();
    requests += overhead;
  }

  private void write() {
    flushes++;
    double copies = fs.kind() == FileSystem.Kind.ZFS ? ZFS_COPIES : BTRFS_COPIES;
    requests += dirty.count() * copies;
    bytes += (double) dirty.count() * copies * fs.inodeBlock();
    dirty.writeAll(block -> true);
  }

  @Override
  public void pressed() {
    if (fs.kind() == FileSystem.Kind.BTRFS && changedBytes() >= threshold) {
      write();
    }
  }

  @Override
  public void finish() {
    endTransaction();
  }

  @Override
  public int flushes() {
    return flushes;
  }

  @Override
  public long requests() {
    return Math.round(requests);
  }

  @Override
  public long bytes() {
    return Math.round(bytes);
  }
}
