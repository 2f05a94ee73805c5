package io.tidemark.index;

import io.tidemark.posix.Dirents;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.StopToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists directories, each one whole, with the kind of every entry. */
final class Listing implements AutoCloseable {
  /** What a name stands for; GONE when it went while it was looked at. */
  enum Kind {
    DIRECTORY,
    FILE,
    LINK,
    OTHER,
    GONE
  }

  record Entry(String name, Kind kind) {
    boolean isDirectory() {
      return kind == Kind.DIRECTORY;
    }
  }

  private final SystemCalls calls;
  private final StopToken stop;
  private final Dirents buffer = new Dirents(Dirents.DEFAULT_BYTES);
  private final FileStatus status = new FileStatus();

  Listing(SystemCalls calls, StopToken stop) {
    this.calls = calls;
    this.stop = stop;
  }

  /** Returns what is in the directory, in its own order; empty when it does not exist. */
  Optional<List<Entry>> list(String directory) {
    return list(directory, Open.O_NOFOLLOW);
  }

  /** Does the same for a directory that may be behind a symbolic link. */
  Optional<List<Entry>> listFollowing(String directory) {
    return list(directory, 0);
  }

  private Optional<List<Entry>> list(String directory, int flags) {
    int fd =
        calls.openat(
            Open.AT_FDCWD,
            FileName.encode(directory),
            Open.O_RDONLY | Open.O_DIRECTORY | Open.O_CLOEXEC | flags,
            0);
    if (fd == -Errno.ENOENT) {
      return Optional.empty();
    }
    PosixException.check(fd, "cannot open directory", directory);
    try {
      return read(directory, fd);
    } finally {
      calls.close(fd);
    }
  }

  private Optional<List<Entry>> read(String directory, int fd) {
    List<Entry> entries = new ArrayList<>();
    while (true) {
      int filled = calls.getdents64(fd, buffer);
      if (filled == 0) {
        return Optional.of(entries);
      }
      /* The directory was removed after it was opened; it had to be empty for that. */
      if (filled == -Errno.ENOENT) {
        return Optional.empty();
      }
      PosixException.check(filled, "cannot list directory", directory);
      stop.check();
      while (buffer.next()) {
        if (!buffer.isDot()) {
          String name = buffer.name();
          entries.add(new Entry(name, kind(directory, fd, name)));
        }
      }
    }
  }

  private Kind kind(String directory, int fd, String name) {
    return switch (buffer.type()) {
      case Dirents.DT_DIR -> Kind.DIRECTORY;
      case Dirents.DT_REG -> Kind.FILE;
      case Dirents.DT_LNK -> Kind.LINK;
      case Dirents.DT_UNKNOWN -> askedKind(directory, fd, name);
      default -> Kind.OTHER;
    };
  }

  private Kind askedKind(String directory, int fd, String name) {
    int result = calls.statx(fd, FileName.encode(name), Open.AT_SYMLINK_NOFOLLOW, status);
    if (result == -Errno.ENOENT) {
      return Kind.GONE;
    }
    PosixException.check(result, "cannot stat", directory + "/" + name);
    if (status.isDirectory()) {
      return Kind.DIRECTORY;
    }
    if (status.isSymbolicLink()) {
      return Kind.LINK;
    }
    return status.isRegular() ? Kind.FILE : Kind.OTHER;
  }

  @Override
  public void close() {
    buffer.close();
  }
}
