package io.tidemark.index;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.store.BusyException;
import io.tidemark.store.PbsHost;

/** Locks backup groups of one datastore against the backups of a PBS on this host. */
final class GroupLocks {
  /*
   * flock on a file per group, in a directory that PBS makes at its first lock. PBS removes the
   * file with the group, so after locking the file must still be the one at the path. Since a
   * server that was upgraded from before 3.3.5 and not restarted locks the group's directory
   * itself, a file says so.
   */
  private static final int LOCK_MODE = 0660;
  private static final String CANNOT_LOCK = "cannot lock backup group with";

  private final SystemCalls calls;
  private final PbsHost host;
  private final String storeName;

  GroupLocks(SystemCalls calls, PbsHost host, String storeName) {
    this.calls = calls;
    this.host = host;
    this.storeName = storeName;
  }

  /**
   * Locks the group, without waiting.
   *
   * @throws BusyException when somebody else has it locked
   * @throws PosixException when the lock cannot be had for another reason
   */
  GroupLock lock(BackupGroup group) {
    return locksDirectories() ? lockDirectory(group) : lockFile(group);
  }

  private boolean locksDirectories() {
    String path = host.run() + "/old-locking";
    int result = calls.statx(Open.AT_FDCWD, FileName.encode(path), 0, new FileStatus());
    if (result == -Errno.ENOENT) {
      return false;
    }
    PosixException.check(result, "cannot stat", path);
    return true;
  }

  private GroupLock lockDirectory(BackupGroup group) {
    int flags = Open.O_RDONLY | Open.O_DIRECTORY | Open.O_CLOEXEC;
    int fd = calls.openat(Open.AT_FDCWD, FileName.encode(group.path()), flags, 0);
    return lock(group, group.path(), fd);
  }

  private GroupLock lockFile(BackupGroup group) {
    String directory = host.run() + "/locks/" + storeName;
    if (!group.namespace().isEmpty()) {
      directory += "/" + String.join(":", group.namespace());
    }
    String path = directory + "/" + LockName.of(group.name());
    byte[] name = FileName.encode(path);
    int flags = Open.O_RDWR | Open.O_CLOEXEC;
    int fd = calls.openat(Open.AT_FDCWD, name, flags, 0);
    if (fd == -Errno.ENOENT) {
      fd = create(path, name, flags);
    }
    return lock(group, path, fd);
  }

  /* Made by root it belongs to whom its directory belongs to, or PBS could not open it. */
  private int create(String path, byte[] name, int flags) {
    int fd = calls.openat(Open.AT_FDCWD, name, flags | Open.O_CREAT | Open.O_EXCL, LOCK_MODE);
    if (fd == -Errno.EEXIST) {
      return calls.openat(Open.AT_FDCWD, name, flags, 0);
    }
    if (fd < 0) {
      return fd;
    }
    try {
      PosixException.check(calls.fchmod(fd, LOCK_MODE), "cannot set the mode of", path);
      if (calls.geteuid() == 0) {
        String directory = path.substring(0, path.lastIndexOf('/'));
        FileStatus owner = new FileStatus();
        PosixException.check(
            calls.statx(Open.AT_FDCWD, FileName.encode(directory), 0, owner),
            "cannot stat",
            directory);
        PosixException.check(
            calls.fchown(fd, owner.uid(), owner.gid()), "cannot set the owner of", path);
      }
      return fd;
    } catch (RuntimeException e) {
      calls.close(fd);
      throw e;
    }
  }

  private GroupLock lock(BackupGroup group, String path, int fd) {
    GroupLock lock = new GroupLock(calls, path, PosixException.check(fd, CANNOT_LOCK, path));
    try {
      int result = calls.flock(fd, Open.LOCK_EX | Open.LOCK_NB);
      if (result == -Errno.EAGAIN) {
        throw busy(group, "is locked by somebody else", path);
      }
      PosixException.check(result, CANNOT_LOCK, path);
      if (!isStillAt(path, fd)) {
        throw busy(group, "was removed while it was locked", path);
      }
      return lock;
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private boolean isStillAt(String path, int fd) {
    FileStatus locked = new FileStatus();
    FileStatus present = new FileStatus();
    PosixException.check(
        calls.statx(fd, FileName.encode(""), Open.AT_EMPTY_PATH, locked), "cannot stat", path);
    int result = calls.statx(Open.AT_FDCWD, FileName.encode(path), 0, present);
    if (result == -Errno.ENOENT) {
      return false;
    }
    PosixException.check(result, "cannot stat", path);
    return locked.inode() == present.inode() && locked.device().equals(present.device());
  }

  private static BusyException busy(BackupGroup group, String how, String path) {
    return new BusyException(
        ("busy: the backup group %s changed at every attempt to read it, and %s (%s);"
                + " nothing was removed: run again when its backup is done")
            .formatted(group.path(), how, path));
  }
}
