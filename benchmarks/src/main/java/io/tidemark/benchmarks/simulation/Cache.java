package io.tidemark.benchmarks.simulation;

/** What the kernel keeps of blocks, inodes and names, and the requests that the rest costs. */
final class Cache {
  /*
   * Blocks, and inodes with their names, share the memory. When it is short, both are scanned from
   * the end that was used longest ago, at rates relative to how many there are. A changed block at
   * the end has the file system write what it may; what cannot be written yet stays, as does an
   * inode that was touched since the last flush.
   *
   * OBJECT_AGE is how much slower inodes go than blocks: a name goes in one pass and its inode in a
   * later one, and memory is free only when the last of some twenty in a slab is gone. The number
   * was chosen by the measurements on ext4, one for all cases and file systems, so that their
   * agreement is that of a fit.
   */
  private static final double OBJECT_AGE = 4;

  /** What the limit counts; a memory cgroup does not count the blocks of XFS and btrfs. */
  enum Charge {
    ALL,
    OBJECTS
  }

  private static final int MOST_SCANS = 256;

  private final Layout layout;
  private final Writes writes;
  private final BlockLists blocks;
  private final Lru objects;
  private final int[] touched;
  private final long capacity;
  private final Charge charge;
  private final int window;
  private long bytes;
  private double blockAge;
  private double objectAge;
  private long reads;
  private long readBytes;

  /**
   * @param capacity bytes of memory
   */
  Cache(Layout layout, int objects, Writes writes, long capacity, Charge charge) {
    this.layout = layout;
    this.writes = writes;
    this.blocks = new BlockLists(layout.blocks);
    this.objects = new Lru(objects);
    this.touched = new int[objects];
    this.capacity = capacity;
    this.charge = charge;
    this.window = layout.fs.window();
  }

  long reads() {
    return reads;
  }

  long readBytes() {
    return readBytes;
  }

  /** Uses a block, which is read when it is missing. */
  void use(int block) {
    if (blocks.use(block)) {
      return;
    }
    if (window > 1 && layout.isInode(block)) {
      readWindow(block);
    } else {
      read(block);
    }
    reads++;
    reclaim();
  }

  private void read(int block) {
    int size = layout.blockBytes(block);
    readBytes += size;
    if (charge == Charge.ALL) {
      bytes += size + layout.fs.overhead();
    }
  }

  /** Reads the blocks around one that is missing; each run of missing ones is a request. */
  private void readWindow(int block) {
    int first = block / window * window;
    int end = Math.min(first + window, layout.inodeBlocks);
    boolean within = false;
    int runs = 0;
    for (int other = first; other < end; other++) {
      boolean missing = other == block || !blocks.use(other);
      if (missing) {
        read(other);
        runs += within ? 0 : 1;
      }
      within = missing;
    }
    reads += runs - 1;
  }

  void change(int block, int records) {
    use(block);
    writes.dirty(block, records);
  }

  /** Uses an inode or name in memory and tells whether it was there. */
  boolean useObject(int object) {
    boolean present = objects.use(object);
    if (!present) {
      bytes += layout.fs.object();
      reclaim();
    }
    return present;
  }

  /** Notes that an inode in memory was changed. */
  void touchObject(int object) {
    touched[object] = writes.flushes() + 1;
  }

  void dropObject(int object) {
    if (objects.contains(object)) {
      objects.remove(object);
      bytes -= layout.fs.object();
    }
  }

  private void reclaim() {
    int scans = 0;
    while (bytes > capacity && blocks.size() + objects.size() > MOST_SCANS) {
      boolean fromObjects =
          objects.size() > 0 && (charge == Charge.OBJECTS || objectAge < blockAge);
      boolean gone = fromObjects && scanObject() || (charge == Charge.ALL && scanBlock());
      if (!gone && ++scans > MOST_SCANS) {
        writes.pressed();
        break; // more than the limit for a while, as the kernel lets it be
      }
    }
  }

  private boolean scanBlock() {
    int block = blocks.oldest();
    blockAge += 1.0 / blocks.inactiveSize();
    if (writes.isDirty(block)) {
      writes.pressed();
      if (writes.isDirty(block)) {
        blocks.keep(block);
        return false;
      }
    }
    blocks.remove(block);
    bytes -= layout.blockBytes(block) + layout.fs.overhead();
    return true;
  }

  private boolean scanObject() {
    objectAge += OBJECT_AGE / objects.size();
    int object = objects.oldest();
    if (touched[object] > writes.flushes()) {
      objects.use(object);
      return false;
    }
    dropObject(object);
    if (layout.fs.kind() == FileSystem.Kind.XFS) {
      writes.pressed(); // each time it gives inodes back it has the changed ones written
    }
    return true;
  }
}
