package io.tidemark.benchmarks.simulation;

/**
 * How a file system lays out and caches what a collection needs. Sizes are bytes.
 *
 * @param inodeBlock what is read, cached and written for an inode
 * @param inodesPerBlock that lie in one
 * @param window inode blocks that are read together when one of them is missing
 * @param directoryBlock what is read, cached and written for a directory
 * @param leafEntries names of 64 bytes in such a block, on average
 * @param indexEntries names that one index block of a directory covers; 0: there are none
 * @param rootFrom number of index blocks from which on a root lies above them
 * @param sharedLeaves whether small directories share blocks
 * @param listsApart whether a listing reads other blocks than a look-up
 * @param emptyInInode whether an empty directory has no block
 * @param listingReadsInodes whether a listing reads the inodes of its entries ahead
 * @param chunksEntries names of four bytes in a block of {@code .chunks}
 * @param overhead of a cached block
 * @param object an inode and its name in memory
 */
record FileSystem(
    Kind kind,
    int inodeBlock,
    double inodesPerBlock,
    int window,
    int directoryBlock,
    double leafEntries,
    int indexEntries,
    int rootFrom,
    boolean sharedLeaves,
    boolean listsApart,
    boolean emptyInInode,
    boolean listingReadsInodes,
    int chunksEntries,
    int overhead,
    int object) {
  /** The ways of writing. */
  enum Kind {
    EXT4,
    XFS,
    BTRFS,
    ZFS
  }

  /*
   * ext4: inodes of 256 bytes; a record of a 64-byte name takes 72, hash-tree leaves are 69 % full
   * as everything that splits in halves; a missing inode block has the kernel read the 32 blocks
   * around it (inode_readahead_blks). In memory: 1,176 bytes an inode, 192 a dentry, 96 a name that
   * long; 104 bytes a buffer head and some for the page.
   */
  private static final FileSystem EXT4 =
      new FileSystem(
          Kind.EXT4,
          4096,
          16,
          32,
          4096,
          4084 / 72 * 0.69,
          Integer.MAX_VALUE,
          2,
          false,
          false,
          false,
          false,
          235,
          120,
          1176 + 192 + 96);

  /*
   * XFS: inodes of 512 bytes in clusters of 32 that are read and written whole; directory data of
   * 80 bytes an entry, filled in the order of creation, beside 8 bytes an entry by hash; an empty
   * directory fits into its inode.
   */
  private static final FileSystem XFS =
      new FileSystem(
          Kind.XFS,
          16384,
          32,
          1,
          4096,
          4032 / 80 * 0.97,
          350,
          2,
          false,
          false,
          true,
          false,
          150,
          420,
          1010 + 208 + 192 + 96);

  /*
   * btrfs: leaves of 16 KiB; an inode with its reference and its extent takes about 360 bytes, in
   * leaves that fill up in ascending order; a name is there twice (by hash for look-ups, by number
   * for listings), 119 bytes each.
   */
  private static final FileSystem BTRFS =
      new FileSystem(
          Kind.BTRFS,
          16384,
          41,
          1,
          16384,
          16283 / 119 * 0.69,
          0,
          2,
          true,
          true,
          true,
          false,
          192,
          500,
          1136 + 300 + 192 + 96);

  /*
   * ZFS: dnodes of 512 bytes, 32 in a block; a fat ZAP's leaf of 16 KiB takes 6 pieces of 24 bytes
   * for a name; its first block is a header. A dnode that is in use holds its block uncompressed.
   */
  private static final FileSystem ZFS =
      new FileSystem(
          Kind.ZFS,
          16384,
          32,
          1,
          16384,
          16384 / 148 * 0.69,
          Integer.MAX_VALUE,
          2,
          false,
          false,
          false,
          true,
          150,
          500,
          900 + 400 + 1050 + 192 + 96);

  static FileSystem of(String name) {
    return switch (name) {
      case "ext4" -> EXT4;
      case "xfs" -> XFS;
      case "btrfs" -> BTRFS;
      case "zfs" -> ZFS;
      default -> throw new IllegalArgumentException("no file system " + name);
    };
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(java.util.Locale.ROOT);
  }
}
