package io.tidemark.store;

import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.SystemCalls;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Writes small files of a datastore as the server does: whole, or not at all. */
final class AtomicFile {
  private static final int PRIVATE = 0600;
  private static final int READABLE = 0644;
  private static final String LETTERS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private AtomicFile() {}

  /**
   * Writes a file beside {@code name}, which is relative to {@code directory}, and renames it.
   *
   * @param owner whose user and group get the file, when root writes it
   * @return 0 or a negated error number; then nothing is left behind
   */
  static int replace(
      SystemCalls calls, int directory, String name, byte[] content, FileStatus owner) {
    byte[] temporary = FileName.encode(name + ".tmp_" + sixLetters());
    int flags = Open.O_WRONLY | Open.O_CREAT | Open.O_EXCL | Open.O_CLOEXEC;
    int fd = calls.openat(directory, temporary, flags, PRIVATE);
    if (fd < 0) {
      return fd;
    }
    int result = fill(calls, fd, content, owner);
    int closed = calls.close(fd); // on network file systems, this is what says ENOSPC
    if (result == 0) {
      result = closed;
    }
    if (result == 0) {
      result = calls.renameat2(directory, temporary, directory, FileName.encode(name), 0);
    }
    if (result < 0) {
      calls.unlinkat(directory, temporary, 0);
    }
    return result;
  }

  private static int fill(SystemCalls calls, int fd, byte[] content, FileStatus owner) {
    for (int at = 0; at < content.length; ) {
      byte[] rest = Arrays.copyOfRange(content, at, content.length);
      int written = calls.pwrite(fd, rest, rest.length, at);
      if (written < 0) {
        return written;
      }
      at += written;
    }
    int result = calls.fchmod(fd, READABLE);
    if (result == 0 && calls.geteuid() == 0) {
      result = calls.fchown(fd, owner.uid(), owner.gid());
    }
    return result;
  }

  private static String sixLetters() {
    StringBuilder letters = new StringBuilder();
    RandomGenerator.getDefault()
        .ints(6, 0, LETTERS.length())
        .forEach(i -> letters.append(LETTERS.charAt(i)));
    return letters.toString();
  }
}
