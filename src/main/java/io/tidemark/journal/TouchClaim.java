package io.tidemark.journal;

/**
 * Which chunks have been touched in the order of directories and inodes: those in a directory
 * before {@code below}, and of those before {@code end} the ones with a smaller inode number.
 *
 * @param below a directory's number
 * @param end a directory's number, not smaller
 * @param inode an inode number, unsigned
 */
public record TouchClaim(int below, int end, long inode) {
  private static final int DIRECTORIES = 65536;

  public static final TouchClaim NONE = new TouchClaim(0, 0, 0);
  public static final TouchClaim ALL = new TouchClaim(DIRECTORIES, DIRECTORIES, 0);

  /** Tells whether the file with that inode number, in that directory, has been touched. */
  public boolean isDone(int directory, long fileInode) {
    return directory < below || (directory < end && Long.compareUnsigned(fileInode, inode) < 0);
  }

  /** Tells whether everything that {@code other} claims is claimed here as well. */
  public boolean covers(TouchClaim other) {
    if (below >= other.end) {
      return true;
    }
    boolean inodes =
        other.inode == 0
            || other.end == other.below
            || (end >= other.end && Long.compareUnsigned(inode, other.inode) >= 0);
    return below >= other.below && inodes;
  }
}
