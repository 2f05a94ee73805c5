package io.tidemark.store;

import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.SystemCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tells directories apart, by whatever path they are reached. */
record DirectoryIdentity(String device, long inode) {
  /** Returns the identity of the directory at {@code path}; empty when there is none. */
  static Optional<DirectoryIdentity> of(SystemCalls calls, String path) {
    return of(calls, Open.AT_FDCWD, path, 0);
  }

  /** Returns the directories above the one at {@code path}, from its parent up to the root. */
  static List<Ancestor> ancestors(SystemCalls calls, String path) {
    List<Ancestor> above = new ArrayList<>();
    Optional<DirectoryIdentity> below = of(calls, path);
    int fd = open(calls, Open.AT_FDCWD, path);
    for (String up = path + "/.."; fd >= 0; up += "/..") {
      int parent = open(calls, fd, "..");
      calls.close(fd);
      fd = parent;
      Optional<DirectoryIdentity> identity = of(calls, fd, "", Open.AT_EMPTY_PATH);
      if (fd < 0 || identity.isEmpty() || identity.equals(below)) {
        break;
      }
      boolean chunks = of(calls, fd, ".chunks", Open.AT_SYMLINK_NOFOLLOW).isPresent();
      above.add(new Ancestor(up, identity.get(), chunks));
      below = identity;
    }
    if (fd >= 0) {
      calls.close(fd);
    }
    return above;
  }

  /**
   * A directory above another.
   *
   * @param path the other's path with {@code /..} after it, which is right with links in it, too
   * @param hasChunks whether it looks like a datastore
   */
  record Ancestor(String path, DirectoryIdentity identity, boolean hasChunks) {}

  private static int open(SystemCalls calls, int directory, String name) {
    return calls.openat(
        directory, FileName.encode(name), Open.O_PATH | Open.O_DIRECTORY | Open.O_CLOEXEC, 0);
  }

  private static Optional<DirectoryIdentity> of(
      SystemCalls calls, int directory, String name, int flags) {
    FileStatus status = new FileStatus();
    int result = calls.statx(directory, FileName.encode(name), flags, status);
    return result == 0 && status.isDirectory()
        ? Optional.of(new DirectoryIdentity(status.device(), status.inode()))
        : Optional.empty();
  }
}
