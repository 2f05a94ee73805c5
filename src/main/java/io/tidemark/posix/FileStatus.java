package io.tidemark.posix;

/** What {@code statx} told of one file; filled anew by each call, so that nothing is allocated. */
public final class FileStatus {
  private static final int TYPE_MASK = 0xF000;

  int mode;
  int links;
  int uid;
  int gid;
  long inode;
  long size;
  long atimeSeconds;
  int atimeNanos;
  long mtimeSeconds;
  int mtimeNanos;
  long ctimeSeconds;
  int ctimeNanos;
  int deviceMajor;
  int deviceMinor;

  public boolean isRegular() {
    return (mode & TYPE_MASK) == 0x8000;
  }

  public boolean isDirectory() {
    return (mode & TYPE_MASK) == 0x4000;
  }

  public boolean isSymbolicLink() {
    return (mode & TYPE_MASK) == 0xA000;
  }

  /** Returns the permission bits. */
  public int permissions() {
    return mode & 0xFFF;
  }

  public int links() {
    return links;
  }

  public int uid() {
    return uid;
  }

  public int gid() {
    return gid;
  }

  public long inode() {
    return inode;
  }

  /** Returns the apparent size in bytes. */
  public long size() {
    return size;
  }

  /** Returns the access time in whole seconds since 1970, the part that verdicts look at. */
  public long atimeSeconds() {
    return atimeSeconds;
  }

  /** Returns the nanoseconds below the second of the access time. */
  public int atimeNanos() {
    return atimeNanos;
  }

  /** Returns the access time in nanoseconds since 1970. */
  public long atimeInNanos() {
    return atimeSeconds * 1_000_000_000L + atimeNanos;
  }

  /** Returns the modification time in nanoseconds since 1970. */
  public long mtimeInNanos() {
    return mtimeSeconds * 1_000_000_000L + mtimeNanos;
  }

  /** Returns the time of the last change of contents, name or attributes, in nanoseconds. */
  public long ctimeInNanos() {
    return ctimeSeconds * 1_000_000_000L + ctimeNanos;
  }

  /** Returns the number of the device that holds the file, as {@code major:minor}. */
  public String device() {
    return deviceMajor + ":" + deviceMinor;
  }
}
