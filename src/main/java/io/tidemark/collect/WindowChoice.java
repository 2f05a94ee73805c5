package io.tidemark.collect;

import io.tidemark.posix.FileSystemStatus;
import io.tidemark.report.HumanBytes;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.ChunkStore;

/** Chooses the window of the ordered strategy by an estimate of what the cache can hold. */
final class WindowChoice {
  /*
   * In inode order each block of inodes is read and written once, which nothing beats, as long as
   * a chunk can be reached without reading anything else: by handle always, by name when the blocks
   * of all directories stay in memory beside what is being written. When they do not, each look-up
   * reads one back, so the store is worked through in groups of directories that fit; the gain of
   * the inode order is gone when a group holds less than about 1/32 of the store, and then one
   * directory at a time, warmed by its listing, reads least.
   *
   * ZFS keeps what belongs to an inode that was used, and its block, for so long that directories
   * of half a cache did not stay there: each touch read a block. So they get a quarter, and there
   * are no groups.
   *
   * The directories' bytes are those of a sample times their number. A directory's own size counts
   * its blocks on most file systems. btrfs tells no blocks: there its entries are counted. On ZFS a
   * name of 64 characters makes a directory a "fat ZAP": a block of 16 KiB for its head, and leaves
   * of 16 KiB that take 106 such names and are 69 % full, as everything that splits in halves.
   */
  private static final int SAMPLES = 64;

  private static final int MOST_GROUPS = 32;
  private static final int BYTES_AN_ENTRY = 96;
  private static final int ZAP_BLOCK = 16 << 10;
  private static final int ENTRIES_A_LEAF = 73;

  private final RunState state;
  private final ChunkStore store;
  private final ChunkDirectory directory;

  WindowChoice(RunState state, ChunkStore store, ChunkDirectory directory) {
    this.state = state;
    this.store = store;
    this.directory = directory;
  }

  /**
   * What the choice rests on.
   *
   * @param type of the file system, see {@link FileSystemStatus}
   * @param directoryBytes of all chunk directories
   * @param chunks in all of them
   * @param cacheBytes that can hold them
   */
  record Estimate(long type, long directoryBytes, long chunks, long cacheBytes) {
    /** Returns the window to use when chunks are reached by name. */
    Window byName() {
      long usable = Math.max(1, cacheBytes / (type == FileSystemStatus.ZFS ? 4 : 2));
      if (directoryBytes <= usable) {
        return Window.ALL;
      }
      long groups = Math.ceilDiv(directoryBytes, usable);
      return groups > MOST_GROUPS || type == FileSystemStatus.ZFS
          ? Window.DIRECTORY
          : Window.of(Math.clamp(chunks / groups, 1, Integer.MAX_VALUE));
    }
  }

  /** Tells whether the blocks of all directories are likely to stay in memory. */
  boolean directoriesFit() {
    return estimate().byName().kind() == Window.Kind.ALL;
  }

  /** Returns the window for chunks that are reached by handle, or else by name, and logs why. */
  Window choose(boolean byHandle) {
    Window asked = state.options.window();
    if (asked.kind() != Window.Kind.AUTO) {
      state.log.info("Touching in inode order, window " + asked.label());
      return asked;
    }
    if (byHandle) {
      state.log.info("Touching in inode order, window all: handles need no directories in memory");
      return Window.ALL;
    }
    Estimate estimate = estimate();
    Window window = estimate.byName();
    state.log.info(
        "Touching in inode order, window %s: directories take about %s, the cache holds %s"
            .formatted(
                window.label(),
                HumanBytes.format(estimate.directoryBytes()),
                HumanBytes.format(estimate.cacheBytes())));
    return window;
  }

  /**
   * Returns about how many bytes of cache a directory takes.
   *
   * @param type of the file system, see {@link FileSystemStatus}
   * @param size that the directory says it has
   * @param entries in it
   */
  static long directoryBytes(long type, long size, long entries) {
    return type == FileSystemStatus.ZFS
        ? ZAP_BLOCK * (1 + Math.ceilDiv(entries, ENTRIES_A_LEAF))
        : Math.max(size, entries * BYTES_AN_ENTRY);
  }

  private Estimate estimate() {
    long type = store.fileSystem().type();
    long bytes = 0;
    long entries = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
      if (directory.open(FullSweep.scattered(sample))) {
        long listed = directory.list((w0, w1, w2, w3, inode, kind) -> {});
        directory.statDirectory();
        entries += listed;
        bytes += directoryBytes(type, directory.status().size(), listed);
      }
    }
    int scale = FullSweep.DIRECTORIES / SAMPLES;
    return new Estimate(
        type, bytes * scale, entries * scale, state.environment.cache().bytes(type));
  }
}
