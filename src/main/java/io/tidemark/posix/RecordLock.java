package io.tidemark.posix;

/** A whole-file record lock as {@code fcntl} takes and returns it. */
public final class RecordLock {
  /** Commands: the lock belongs to the process (POSIX) or to the open file description (OFD). */
  public static final int F_GETLK = 5;

  public static final int F_SETLK = 6;
  public static final int F_OFD_GETLK = 36;
  public static final int F_OFD_SETLK = 37;

  public static final short F_RDLCK = 0;
  public static final short F_WRLCK = 1;
  public static final short F_UNLCK = 2;

  short type;
  int pid;

  public RecordLock(short type) {
    this.type = type;
  }

  /** Returns the type asked for or, after a query, that of a lock in the way. */
  public short type() {
    return type;
  }

  /** Returns, after a query, the process that holds the lock in the way; -1 for an OFD lock. */
  public int pid() {
    return pid;
  }
}
