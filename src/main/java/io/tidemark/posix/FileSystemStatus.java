package io.tidemark.posix;

/** What {@code fstatfs} told of the file system behind a descriptor. */
public final class FileSystemStatus {
  public static final long EXT4 = 0xEF53;
  public static final long XFS = 0x58465342L;
  public static final long BTRFS = 0x9123683EL;
  public static final long ZFS = 0x2FC12FC1L;
  public static final long TMPFS = 0x01021994L;
  public static final long NFS = 0x6969;
  public static final long SMB2 = 0xFE534D42L;
  public static final long CIFS = 0xFF534D42L;
  public static final long CEPH = 0x00C36400L;
  public static final long FUSE = 0x65735546L;

  long type;
  long blockSize;
  long blocks;
  long availableBlocks;

  /** Returns the magic number of the file system's type. */
  public long type() {
    return type;
  }

  /** Returns the bytes that an unprivileged user could still write. */
  public long availableBytes() {
    return availableBlocks * blockSize;
  }

  /** Tells whether the files are on another machine. */
  public boolean isNetwork() {
    return type == NFS || type == SMB2 || type == CIFS || type == CEPH;
  }

  /** Returns the usual name of the type, or its magic number in hexadecimal. */
  public String typeName() {
    if (type == EXT4) {
      return "ext4";
    } else if (type == XFS) {
      return "xfs";
    } else if (type == BTRFS) {
      return "btrfs";
    } else if (type == ZFS) {
      return "zfs";
    } else if (type == TMPFS) {
      return "tmpfs";
    } else if (type == NFS) {
      return "nfs";
    } else if (type == SMB2 || type == CIFS) {
      return "smb";
    } else if (type == CEPH) {
      return "ceph";
    } else if (type == FUSE) {
      return "fuse";
    }
    return "0x" + Long.toHexString(type);
  }
}
