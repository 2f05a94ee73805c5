package io.tidemark.journal;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.SystemCalls;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A small file among the chunk directories that says which checkpoint the store has reached. */
public final class StoreMark {
  /*
   * The journal says that access times are on disk, but lies elsewhere. A file system that is
   * rolled back, or restored from a copy, loses the access times and keeps the journal. So, before
   * a checkpoint is made durable, its number is written here, beside the chunks, by one write in
   * place: whatever takes back the touches takes back the number. A collection by PBS opens the
   * chunk directories by their names and does not see the file.
   */
  public static final String NAME = ".tidemark-run";

  private static final int MODE = 0644;
  private static final Pattern FORM =
      Pattern.compile("tidemark-run 1 ([0-9a-f-]{36}) ([0-9]{19})\\n");
  private static final int LENGTH = 72;

  /**
   * What the file says.
   *
   * @param run the name of the run
   * @param sequence the number of its last checkpoint
   */
  public record Content(String run, long sequence) {}

  private final SystemCalls calls;
  private final int chunks;
  private final byte[] name = FileName.encode(NAME);

  /**
   * @param chunks the descriptor of {@code .chunks}
   */
  public StoreMark(SystemCalls calls, int chunks) {
    this.calls = calls;
    this.chunks = chunks;
  }

  /** Returns what the file says; empty when there is none, or none that can be understood. */
  public Optional<Content> read() {
    int flags = Open.O_RDONLY | Open.O_NOFOLLOW | Open.O_NONBLOCK | Open.O_CLOEXEC;
    int fd = calls.openat(chunks, name, flags, 0);
    if (fd < 0) {
      return Optional.empty();
    }
    byte[] bytes = new byte[LENGTH + 1];
    int length = calls.pread(fd, bytes, bytes.length, 0);
    calls.close(fd);
    if (length < 0) {
      return Optional.empty();
    }
    Matcher form = FORM.matcher(new String(bytes, 0, length, StandardCharsets.US_ASCII));
    return form.matches()
        ? Optional.of(new Content(form.group(1), Long.parseLong(form.group(2))))
        : Optional.empty();
  }

  /**
   * Writes the file, without making it durable.
   *
   * @param owner whose user and group it gets, when root makes it
   * @return 0 or a negated error number
   */
  public int write(String run, long sequence, FileStatus owner) {
    int flags = Open.O_RDWR | Open.O_CREAT | Open.O_NOFOLLOW | Open.O_NONBLOCK | Open.O_CLOEXEC;
    int fd = calls.openat(chunks, name, flags, MODE);
    if (fd < 0) {
      return fd;
    }
    byte[] text =
        "tidemark-run 1 %s %019d\n".formatted(run, sequence).getBytes(StandardCharsets.US_ASCII);
    int result = calls.ftruncate(fd, text.length);
    if (result == 0 && calls.geteuid() == 0) {
      result = calls.fchown(fd, owner.uid(), owner.gid());
    }
    if (result == 0) {
      int written = calls.pwrite(fd, text, text.length, 0);
      result = written == text.length ? 0 : Math.min(written, -Errno.EIO);
    }
    int closed = calls.close(fd);
    return result == 0 ? closed : result;
  }

  /** Removes the file, if there is one; nothing relies on that. */
  public void delete() {
    calls.unlinkat(chunks, name, 0);
  }
}
