package io.tidemark.store;

import io.tidemark.posix.Dirents;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** Provides a chunk whose access time can be tried out. */
final class ProbeChunk {
  private static final Pattern CHUNK = Pattern.compile("[0-9a-f]{64}");
  private static final int DIRECTORIES = 1 << 16;

  private final SystemCalls calls;
  private final int chunks;
  private final String chunksPath;
  private final StopToken stop;

  /**
   * @param chunks the descriptor of the chunk directory
   */
  ProbeChunk(SystemCalls calls, int chunks, String chunksPath, StopToken stop) {
    this.calls = calls;
    this.chunks = chunks;
    this.chunksPath = chunksPath;
    this.stop = stop;
  }

  /**
   * Inserts the chunk of zeros, or touches it; where no space is left, finds another chunk.
   *
   * @return the chunk's path below the chunk directory
   */
  String provide(RunLog log) {
    String zeros = ZeroChunk.DIRECTORY + "/" + ZeroChunk.NAME;
    String path = chunksPath + "/" + zeros;
    FileStatus status = new FileStatus();
    int found = calls.statx(chunks, FileName.encode(zeros), Open.AT_SYMLINK_NOFOLLOW, status);
    if (found == 0 && !status.isRegular()) {
      throw new RefusedException(
          path + " is no regular file; nothing was done; move it out of the chunk directory");
    }
    if (found == 0 && status.size() > 0) {
      touch(zeros);
      return zeros;
    }
    if (found != -Errno.ENOENT) {
      PosixException.check(found, "cannot stat chunk", path);
    }
    PosixException.check(
        calls.statx(chunks, FileName.encode(""), Open.AT_EMPTY_PATH, status),
        "cannot stat chunk directory",
        chunksPath);
    int created = AtomicFile.replace(calls, chunks, zeros, ZeroChunk.blob(), status);
    return switch (-created) {
      case 0 -> zeros;
      case Errno.ENOSPC, Errno.EDQUOT -> existing(path, created, log);
      case Errno.ENOENT ->
          throw new RefusedException(
              ("%s/%s does not exist, but a datastore has all 65536 chunk directories; nothing was"
                      + " done; restore the datastore's directories first")
                  .formatted(chunksPath, ZeroChunk.DIRECTORY));
      default -> throw new PosixException("cannot create chunk", path, created);
    };
  }

  /** Sets the access time of the chunk at {@code name} below the chunk directory. */
  void touch(String name) {
    PosixException.check(
        calls.utimensat(chunks, FileName.encode(name), Open.AT_SYMLINK_NOFOLLOW),
        "cannot touch chunk",
        chunksPath + "/" + name);
  }

  private String existing(String path, int why, RunLog log) {
    try (Dirents entries = new Dirents(Dirents.DEFAULT_BYTES)) {
      for (int i = 0; i < DIRECTORIES; i++) {
        stop.check();
        String directory = HexFormat.of().toHexDigits((short) i);
        Optional<String> name = first(directory, entries);
        if (name.isPresent()) {
          String chunk = directory + "/" + name.get();
          log.info(
              "Cannot create chunk %s (%s): checking access times with %s/%s"
                  .formatted(path, Errno.name(-why), chunksPath, chunk));
          return chunk;
        }
      }
    }
    throw new PosixException("no chunk to check access times with, and cannot create", path, why);
  }

  /* Returns the first chunk of a directory. */
  private Optional<String> first(String directory, Dirents entries) {
    String path = chunksPath + "/" + directory;
    int flags = Open.O_RDONLY | Open.O_DIRECTORY | Open.O_CLOEXEC;
    int fd = calls.openat(chunks, FileName.encode(directory), flags, 0);
    if (fd == -Errno.ENOENT) {
      return Optional.empty();
    }
    PosixException.check(fd, "cannot open chunk directory", path);
    try {
      while (PosixException.check(
              calls.getdents64(fd, entries), "cannot read chunk directory", path)
          > 0) {
        while (entries.next()) {
          if (CHUNK.matcher(entries.name()).matches()) {
            return Optional.of(entries.name());
          }
        }
      }
      return Optional.empty();
    } finally {
      calls.close(fd);
    }
  }
}
