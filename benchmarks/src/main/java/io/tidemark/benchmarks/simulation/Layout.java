package io.tidemark.benchmarks.simulation;

/** The numbers of the blocks in which a store's names and inodes lie. */
final class Layout {
  /*
   * Blocks of inodes come first, in the order of inode numbers, those of the directories before
   * those of the chunks; then .chunks; then the directories' blocks by look-up, and where they are
   * others, those by listing.
   */
  final FileSystem fs;
  final int blocks;
  final int inodeBlocks;
  private final Shape shape;
  private final int chunkInodes;
  private final int chunksDirectory;
  private final int chunksBlocks;
  private final int names;
  private final int listed;
  private final int empty;
  private final double leaves;
  private final int index;

  Layout(FileSystem fs, Shape shape) {
    this.fs = fs;
    this.shape = shape;
    chunkInodes = (int) (shape.allDirectories() / fs.inodesPerBlock()) + 1;
    inodeBlocks = chunkInodes + (int) (shape.chunks() / fs.inodesPerBlock()) + 1;
    chunksDirectory = inodeBlocks;
    chunksBlocks = shape.allDirectories() / fs.chunksEntries() + 1;
    names = chunksDirectory + chunksBlocks;
    double entries = (double) shape.chunks() / shape.directories();
    double wanted = entries / fs.leafEntries();
    leaves = fs.sharedLeaves() ? wanted : Math.max(1, Math.rint(wanted));
    if (fs.indexEntries() == 0 || leaves <= 1) {
      index = 0;
    } else {
      int count = (int) Math.ceil(entries / fs.indexEntries());
      index = count < fs.rootFrom() ? count : count + 1;
    }
    int nameBlocks = (int) Math.ceil(shape.directories() * (leaves + index)) + 1;
    listed = fs.listsApart() ? names + nameBlocks : names;
    empty = listed + nameBlocks;
    blocks = empty + (fs.emptyInInode() ? 0 : shape.emptyDirectories());
  }

  boolean isInode(int block) {
    return block < inodeBlocks;
  }

  int inode(int chunk) {
    return chunkInodes + (int) (chunk / fs.inodesPerBlock());
  }

  int directoryInode(int directory) {
    return (int) (directory / fs.inodesPerBlock());
  }

  /** Returns the block of {@code .chunks} that has a directory's name. */
  int chunksBlock(int directory) {
    return chunksDirectory + (int) (Store.digest(~directory) >>> 33) % chunksBlocks;
  }

  /** Returns the number of index blocks that a look-up reads. */
  int indexDepth() {
    return Math.min(index, 2);
  }

  /** Returns the index block at a depth for a name at {@code place}. */
  int indexBlock(int directory, double place, int depth) {
    int first = names + directory * ((int) leaves + index);
    return depth == 0 ? first : first + 1 + (int) (place * (index - 1));
  }

  /** Returns the block that has a name. */
  int leaf(int directory, double place) {
    return fs.sharedLeaves()
        ? names + (int) ((directory + place) * leaves)
        : names + directory * ((int) leaves + index) + index + (int) (place * leaves);
  }

  /** Returns the first block that a listing reads; the last one is {@link #lastListed}. */
  int firstListed(int directory) {
    if (directory >= shape.directories()) {
      return empty + directory - shape.directories();
    }
    if (fs.sharedLeaves()) {
      return listed + (int) (directory * leaves);
    }
    // XFS finds the data blocks without the index; the others pass the root.
    int skipped = fs.kind() == FileSystem.Kind.XFS ? index : 0;
    return listed + directory * ((int) leaves + index) + skipped;
  }

  int lastListed(int directory) {
    if (directory >= shape.directories()) {
      return firstListed(directory) - (fs.emptyInInode() ? 1 : 0);
    }
    return fs.sharedLeaves()
        ? listed + (int) ((directory + 1) * leaves)
        : listed + (directory + 1) * ((int) leaves + index) - 1;
  }

  /** Returns the block that lists a chunk, where listings have blocks of their own. */
  int listed(int directory, int chunk) {
    return listed + (int) ((directory + (double) chunk / shape.chunks()) * leaves);
  }

  /**
   * Returns the bytes of all directories' blocks, which is what look-ups by name want in memory.
   */
  long nameBytes() {
    return (long) (shape.directories() * (leaves + index) * fs.directoryBlock());
  }

  /** Returns the bytes of all blocks. */
  long bytes() {
    return (long) inodeBlocks * fs.inodeBlock()
        + (long) (blocks - inodeBlocks) * fs.directoryBlock();
  }

  int blockBytes(int block) {
    return isInode(block) ? fs.inodeBlock() : fs.directoryBlock();
  }
}
