package io.tidemark.batch;

import io.tidemark.posix.Errno;
import io.tidemark.posix.SystemCalls;
import io.tidemark.store.RefusedException;
import java.util.Locale;

/** A file without a name, whose space is free again as soon as it is closed. */
final class SpillFile implements AutoCloseable {
  private static final int CLOSED = -1;

  private final SystemCalls calls;
  private final String directory;
  private int fd;

  SpillFile(SystemCalls calls, int fd, String directory) {
    this.calls = calls;
    this.fd = fd;
    this.directory = directory;
  }

  /**
   * Writes the first {@code length} bytes of {@code from}, whose contents are lost thereby.
   *
   * @throws RefusedException when not all of them can be written
   */
  void write(byte[] from, int length, long offset) {
    int done = 0;
    while (done < length) {
      int written = calls.pwrite(fd, from, length - done, offset + done);
      if (written == -Errno.EINTR) {
        continue;
      }
      if (written <= 0) {
        String why = written == 0 ? "no byte was written" : Errno.describe(-written);
        throw refused("cannot write a spill file in", why, offset + done);
      }
      done += written;
      // The call takes bytes from the start of the array: after a short write, the rest goes there.
      System.arraycopy(from, written, from, 0, length - done);
    }
  }

  /**
   * Fills the first {@code length} bytes of {@code into}.
   *
   * @throws RefusedException when the file cannot be read, or ends before that
   */
  void read(byte[] into, int length, long offset) {
    int done = readOnce(into, length, offset);
    if (done < length) {
      byte[] rest = new byte[length - done];
      while (done < length) {
        int read = readOnce(rest, length - done, offset + done);
        System.arraycopy(rest, 0, into, done, read);
        done += read;
      }
    }
  }

  private int readOnce(byte[] into, int length, long offset) {
    while (true) {
      int read = calls.pread(fd, into, length, offset);
      if (read > 0) {
        return read;
      }
      if (read != -Errno.EINTR) {
        String why = read == 0 ? "it ends too early" : Errno.describe(-read);
        throw refused("cannot read a spill file in", why, offset);
      }
    }
  }

  /** Returns the exception that says that the bytes at {@code offset} are not what was written. */
  RefusedException damaged(String how, long offset) {
    return refused("damaged spill file in", how, offset);
  }

  private RefusedException refused(String what, String why, long offset) {
    return new RefusedException(
        String.format(
            Locale.ROOT,
            "%s %s at byte %d: %s; %s",
            what,
            directory,
            offset,
            why,
            SpillDirectory.REMEDY));
  }

  /** Closes the file, which frees its space. */
  @Override
  public void close() {
    if (fd != CLOSED) {
      calls.close(fd);
      fd = CLOSED;
    }
  }
}
