package io.tidemark.index;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.Open;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.StopToken;
import io.tidemark.store.BusyException;
import io.tidemark.store.PbsHost;
import io.tidemark.store.RefusedException;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Reads the journal in which PBS notes where it moves index files while somebody may collect. */
final class MoveJournal {
  /*
   * Whoever moves a group or a namespace writes the new paths, one a line, before it renames, so
   * an index file that was moved from where the walk came later to where it had been is in the
   * journal. It is locked while it is used and left as it is: PBS empties it at the end of its own
   * next collection, and reading a path twice does no harm.
   */
  private static final int ATTEMPTS = 100;
  private static final int ATTEMPT_MILLIS = 100;
  private static final int BLOCK_BYTES = 1 << 16;

  private final SystemCalls calls;
  private final String path;
  private final StopToken stop;
  private final long attemptMillis;

  MoveJournal(SystemCalls calls, PbsHost host, String storeName, StopToken stop) {
    this(calls, host.run() + "/locks/" + storeName + "/move-journal", stop, ATTEMPT_MILLIS);
  }

  /** Makes one that waits for another time between two attempts at the lock. */
  MoveJournal(SystemCalls calls, String path, StopToken stop, long attemptMillis) {
    this.calls = calls;
    this.path = path;
    this.stop = stop;
    this.attemptMillis = attemptMillis;
  }

  /**
   * Passes each path in the journal on, once; none when there is no journal.
   *
   * @throws BusyException when somebody has the journal locked for ten seconds
   */
  void read(Consumer<String> visitor) {
    int flags = Open.O_RDONLY | Open.O_CLOEXEC;
    int fd = calls.openat(Open.AT_FDCWD, FileName.encode(path), flags, 0);
    if (fd == -Errno.ENOENT) {
      return;
    }
    PosixException.check(fd, "cannot open move journal", path);
    try {
      lock(fd);
      for (String line : lines(fd)) {
        visitor.accept(checked(line));
      }
    } finally {
      calls.close(fd);
    }
  }

  private void lock(int fd) {
    for (int i = 0; i < ATTEMPTS; i++) {
      int result = calls.flock(fd, Open.LOCK_EX | Open.LOCK_NB);
      if (result == 0) {
        return;
      }
      if (result != -Errno.EAGAIN) {
        throw new PosixException("cannot lock move journal", path, result);
      }
      stop.sleep(attemptMillis);
    }
    throw new BusyException(
        "busy: the move journal %s stayed locked for %d s; nothing was removed: run again later"
            .formatted(path, ATTEMPTS * ATTEMPT_MILLIS / 1000));
  }

  private Set<String> lines(int fd) {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    Set<String> lines = new LinkedHashSet<>();
    byte[] block = new byte[BLOCK_BYTES];
    long at = 0;
    while (true) {
      stop.check();
      int read =
          PosixException.check(
              calls.pread(fd, block, BLOCK_BYTES, at), "cannot read move journal", path);
      if (read == 0) {
        addLine(lines, line);
        return lines;
      }
      at += read;
      for (int i = 0; i < read; i++) {
        if (block[i] == '\n') {
          addLine(lines, line);
        } else {
          line.write(block[i]);
        }
      }
    }
  }

  private static void addLine(Set<String> lines, ByteArrayOutputStream line) {
    if (line.size() > 0) {
      lines.add(FileName.decode(line.toByteArray(), line.size()));
      line.reset();
    }
  }

  private String checked(String line) {
    if (!line.startsWith("/") || !IndexLayout.names(line)) {
      throw new RefusedException(
          ("refused: the move journal %s has a line that is not the path of an index file: %s;"
                  + " nothing was removed: let Proxmox Backup Server collect this datastore once")
              .formatted(path, line));
    }
    return line;
  }
}
