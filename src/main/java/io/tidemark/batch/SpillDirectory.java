package io.tidemark.batch;

import io.tidemark.posix.Dirents;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.SystemCalls;
import io.tidemark.store.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates the nameless files that hold what does not fit into memory; belongs to one thread. */
public final class SpillDirectory implements AutoCloseable {
  /*
   * A file made with O_TMPFILE never has a name, so that whatever ends the process frees its
   * space. Where that fails (NFS and FUSE do not know it), the file is created as
   * tidemark-spill-<pid>-<random>, with O_EXCL so that nobody can put a link in its place, and
   * unlinked at once. A process that dies between these two calls leaves an empty file: the next
   * one that spills here removes it.
   *
   * The directory is opened when the first file is wanted: a run that does not spill needs none.
   */
  private static final Pattern NAME =
      Pattern.compile("tidemark-spill-([1-9][0-9]{0,9})-(?:0|[1-9][0-9]{0,9})");

  private static final String LARGE_FILES = "/var/tmp";
  private static final int CLOSED = -1;
  private static final int ATTEMPTS = 100;
  private static final long CLOCK_SLACK_SECONDS = 2;

  /** What to do about a spill directory that does not serve. */
  static final String REMEDY =
      "nothing was removed; name another directory with --spill-dir, or sort in memory with a"
          + " larger --memory";

  private final SystemCalls calls;
  private final String path;
  private final Optional<String> fullDevice;
  private int directory = CLOSED;

  /**
   * @param calls the calls of the thread that uses the directory and its files
   * @param path an existing directory, that others may use as well
   */
  public SpillDirectory(SystemCalls calls, String path) {
    this(Optional.empty(), calls, path);
  }

  private SpillDirectory(Optional<String> fullDevice, SystemCalls calls, String path) {
    this.fullDevice = fullDevice;
    this.calls = calls;
    this.path = path;
  }

  /**
   * Makes one that refuses to create a file on a device that has no space.
   *
   * @param fullDevice the device, as {@code major:minor}
   */
  public static SpillDirectory off(String fullDevice, SystemCalls calls, String path) {
    return new SpillDirectory(Optional.of(fullDevice), calls, path);
  }

  /**
   * Returns the path of the system's directory for temporary files, or of the one for large ones
   * when the former is in memory, where spilling would free none.
   */
  public static String standardPath() {
    String standard = System.getProperty("java.io.tmpdir", "/tmp");
    try {
      boolean inMemory = Files.getFileStore(Path.of(standard)).type().equals("tmpfs");
      return inMemory && Files.isDirectory(Path.of(LARGE_FILES)) ? LARGE_FILES : standard;
    } catch (IOException e) {
      return standard; // opening a file there says what is wrong
    }
  }

  public String path() {
    return path;
  }

  /**
   * Creates an empty file without a name.
   *
   * @throws RefusedException when the directory cannot be opened, or takes no file
   */
  SpillFile create() {
    if (directory == CLOSED) {
      open();
    }
    int flags = Open.O_RDWR | Open.O_CLOEXEC;
    int fd =
        calls.openat(directory, FileName.encode("."), flags | Open.O_TMPFILE | Open.O_EXCL, 0600);
    if (fd < 0) {
      fd = createAndUnlink(flags | Open.O_CREAT | Open.O_EXCL | Open.O_NOFOLLOW);
    }
    if (fd < 0) {
      throw refused("cannot create a spill file in", fd);
    }
    return new SpillFile(calls, fd, path);
  }

  private int createAndUnlink(int flags) {
    int fd = -Errno.EEXIST;
    for (int attempt = 0; fd == -Errno.EEXIST && attempt < ATTEMPTS; attempt++) {
      int random = ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
      byte[] name =
          FileName.encode("tidemark-spill-" + ProcessHandle.current().pid() + "-" + random);
      fd = calls.openat(directory, name, flags, 0600);
      int unlinked = fd < 0 ? 0 : calls.unlinkat(directory, name, 0);
      if (unlinked < 0 && unlinked != -Errno.ENOENT) {
        calls.close(fd);
        fd = unlinked;
      }
    }
    return fd;
  }

  private void open() {
    int flags = Open.O_RDONLY | Open.O_DIRECTORY | Open.O_CLOEXEC;
    int fd = calls.openat(Open.AT_FDCWD, FileName.encode(path), flags, 0);
    if (fd < 0) {
      throw refused("cannot open the spill directory", fd);
    }
    directory = fd;
    refuseFullDevice();
    removeLeftOvers();
  }

  private void refuseFullDevice() {
    FileStatus status = new FileStatus();
    if (fullDevice.isPresent()
        && calls.statx(directory, FileName.encode(""), Open.AT_EMPTY_PATH, status) == 0
        && status.device().equals(fullDevice.get())) {
      throw new RefusedException(
          "the spill directory "
              + path
              + " is on the file system of the chunks, which is taken for full; "
              + REMEDY);
    }
  }

  /* An error here is not one of the run: what cannot be listed or removed stays. */
  private void removeLeftOvers() {
    List<String> names = new ArrayList<>();
    try (Dirents entries = new Dirents(1 << 16)) {
      while (calls.getdents64(directory, entries) > 0) {
        while (entries.next()) {
          // Only a name that can be ours becomes a string: the directory may be a full /tmp.
          if (entries.nameByte(0) == 't') {
            names.add(entries.name());
          }
        }
      }
    }
    FileStatus status = new FileStatus();
    for (String name : names) {
      Matcher matcher = NAME.matcher(name);
      byte[] encoded = FileName.encode(name);
      if (matcher.matches()
          && calls.statx(directory, encoded, Open.AT_SYMLINK_NOFOLLOW, status) == 0
          && status.isRegular()
          && status.uid() == calls.geteuid()
          && !isRunning(Long.parseLong(matcher.group(1)), status.mtimeInNanos())) {
        calls.unlinkat(directory, encoded, 0);
      }
    }
  }

  /* Process numbers come again: a process that started after the file was made did not make it. */
  private static boolean isRunning(long pid, long madeInNanos) {
    return ProcessHandle.of(pid)
        .map(
            process ->
                process
                    .info()
                    .startInstant()
                    .orElse(Instant.EPOCH)
                    .minusSeconds(CLOCK_SLACK_SECONDS)
                    .isBefore(Instant.ofEpochSecond(0, madeInNanos)))
        .orElse(false);
  }

  private RefusedException refused(String what, int result) {
    return new RefusedException(what + " " + path + ": " + Errno.describe(-result) + "; " + REMEDY);
  }

  /** Closes the directory; files that are open stay so. */
  @Override
  public void close() {
    if (directory != CLOSED) {
      calls.close(directory);
      directory = CLOSED;
    }
  }
}
