package io.tidemark.benchmarks.simulation;

/** One simulated collection of a cold store, and its figures. */
final class Run {
  private Run() {}

  /**
   * The setting of a run.
   *
   * @param batchSize of a deferred mark, in references
   * @param recent digests in the cache of recent ones
   * @param cacheBytes of memory for blocks, inodes and names
   * @param charge what counts towards it
   * @param rate operations a second, for what file systems do at intervals of time
   */
  record Setting(
      FileSystem fs,
      Plan plan,
      int batchSize,
      int recent,
      long cacheBytes,
      Cache.Charge charge,
      double rate,
      long journalBytes,
      double scale) {}

  /**
   * Requests and bytes, of the mark and of the whole.
   *
   * @param metadataBytes of all blocks that hold names and inodes
   */
  record Figures(
      long references,
      long touches,
      long markReads,
      long markReadBytes,
      long markWrites,
      long reads,
      long readBytes,
      long writes,
      long writtenBytes,
      long metadataBytes) {}

  static Figures simulate(Store store, Setting setting) {
    Shape shape = store.shape;
    Layout layout = new Layout(setting.fs(), shape);
    Pace pace = new Pace(setting.rate(), setting.journalBytes(), setting.scale());
    Writes writes =
        switch (setting.fs().kind()) {
          case EXT4 -> new Ext4Journal(layout, pace);
          case XFS -> new XfsLog(layout, pace);
          case BTRFS, ZFS -> new CopyOnWrite(layout, pace);
        };
    Cache cache =
        new Cache(
            layout,
            shape.chunks() + shape.allDirectories(),
            writes,
            setting.cacheBytes(),
            setting.charge());
    Kernel kernel = new Kernel(store, layout, cache, writes);
    Collection collection =
        new Collection(
            store,
            kernel,
            setting.plan(),
            setting.batchSize(),
            group(layout, shape, setting.cacheBytes()));
    long before = store.references();
    collection.mark(setting.recent());
    long markReads = cache.reads();
    long markReadBytes = cache.readBytes();
    long markWrites = writes.requests();
    collection.sweep();
    writes.finish();
    return new Figures(
        store.references() - before,
        collection.touches(),
        markReads,
        markReadBytes,
        markWrites,
        cache.reads(),
        cache.readBytes(),
        writes.requests(),
        writes.bytes(),
        layout.bytes());
  }

  /** Returns how many directories fit into half of the cache, as the engine's choice has it. */
  private static int group(Layout layout, Shape shape, long cacheBytes) {
    double share = cacheBytes / 2.0 / layout.nameBytes();
    return (int) Math.clamp(shape.directories() * share, 1, shape.directories());
  }
}
