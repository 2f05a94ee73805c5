package io.tidemark.posix;

/** Flags and modes of the system calls, with the values of this processor's Linux. */
public final class Open {
  /* O_DIRECTORY and O_NOFOLLOW are the two that differ between x86-64 and aarch64. */
  private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");

  public static final int O_RDONLY = 0;
  public static final int O_WRONLY = 1;
  public static final int O_RDWR = 2;
  public static final int O_CREAT = 0x40;
  public static final int O_EXCL = 0x80;
  public static final int O_APPEND = 0x400;
  public static final int O_NONBLOCK = 0x800;
  public static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
  public static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;
  public static final int O_NOATIME = 0x40000;
  public static final int O_CLOEXEC = 0x80000;
  public static final int O_PATH = 0x200000;
  public static final int O_TMPFILE = 0x400000 | O_DIRECTORY;

  /** Stands for the working directory in the {@code *at} calls. */
  public static final int AT_FDCWD = -100;

  public static final int AT_SYMLINK_NOFOLLOW = 0x100;
  public static final int AT_SYMLINK_FOLLOW = 0x400;
  public static final int AT_EMPTY_PATH = 0x1000;
  public static final int AT_STATX_FORCE_SYNC = 0x2000;

  public static final int RENAME_NOREPLACE = 1;

  public static final int LOCK_SH = 1;
  public static final int LOCK_EX = 2;
  public static final int LOCK_NB = 4;
  public static final int LOCK_UN = 8;

  private Open() {}
}
