package io.tidemark.benchmarks.simulation;

/** The writes of btrfs and ZFS, which write changed blocks to new places. */
final class CopyOnWrite implements Writes {
  /*
   * btrfs ends a transaction after 30 seconds, or when 128 MiB were changed in it: the changed
   * blocks need new places, and the small file systems that were measured run out of room for them
   * (the number was fitted to those, and is not known for large ones). What memory pressure finds
   * changed is written before that, if it is 32 MiB or more; what changes afterwards is written
   * again. On one device it keeps metadata twice, and each block takes a request of its own.
   *
   * ZFS ends a transaction group after 5 seconds, and writes nothing before. It keeps metadata
   * twice, and joins some requests: 1.5 a block; some 100 a group go to what else it keeps.
   */
  private static final double BTRFS_SECONDS = 30;
  private static final double ZFS_SECONDS = 5;
  private static final long BTRFS_THRESHOLD = 32 << 20;
  private static final long BTRFS_TRANSACTION = 128 << 20;
  private static final double BTRFS_COPIES = 2;
  private static final double ZFS_COPIES = 1.5;
  private static final int BTRFS_OVERHEAD = 20;
  private static final int ZFS_OVERHEAD = 100;

  private final DirtyBlocks dirty;
  private final FileSystem fs;
  private final long transactionOperations;
  private final double overhead;
  private final double threshold;
  private final double transaction;
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
    transaction = BTRFS_TRANSACTION / pace.scale();
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
    boolean full = fs.kind() == FileSystem.Kind.BTRFS && changedBytes() >= transaction;
    if (++since >= transactionOperations || full) {
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
