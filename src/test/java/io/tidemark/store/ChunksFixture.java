package io.tidemark.store;

import io.tidemark.posix.FaultyCalls;
import io.tidemark.posix.FileName;
import io.tidemark.posix.Open;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;

/** A chunk directory whose access times are checked. */
final class ChunksFixture implements AutoCloseable {
  static final Instant OLD = Instant.parse("2020-01-01T00:00:00.123456789Z");

  /* Longer than two ticks of the kernel's clock, which is all that local file systems need. */
  private static final long SHORT_PAUSE_MILLIS = 30;

  final FaultyCalls faults = new FaultyCalls();
  final StopToken stop = new StopToken();
  final LogLines log = new LogLines();
  final SystemCalls posix = Posix.open();
  SystemCalls calls = faults.around(posix);
  EpochClock clock = EpochClock.SYSTEM;
  long pauseMillis = SHORT_PAUSE_MILLIS;

  private final Path chunks;

  ChunksFixture(Path chunks) throws IOException {
    this.chunks = chunks;
    Files.createDirectory(chunks.resolve("0000"));
    Files.createDirectory(chunks.resolve("bb9f"));
  }

  Path chunk() {
    return chunks.resolve("bb9f").resolve(ZeroChunk.NAME);
  }

  ChunksFixture insertChunk() throws IOException {
    Files.write(chunk(), ZeroChunk.blob());
    setTimes(chunk(), OLD, OLD);
    return this;
  }

  /** Replaces the chunk by a copy of it, which has another inode. */
  void replaceChunk() {
    try {
      Path copy = chunks.resolve("copy");
      Files.copy(chunk(), copy, StandardCopyOption.COPY_ATTRIBUTES);
      Files.move(copy, chunk(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  AtimeCheck.Result check() {
    int flags = Open.O_RDONLY | Open.O_DIRECTORY | Open.O_CLOEXEC;
    int fd = posix.openat(Open.AT_FDCWD, FileName.encode(chunks.toString()), flags, 0);
    try {
      return AtimeCheck.run(calls, fd, chunks.toString(), clock, pauseMillis, stop, new RunLog());
    } finally {
      posix.close(fd);
    }
  }

  List<Path> files(String directory) throws IOException {
    try (var files = Files.list(chunks.resolve(directory))) {
      return files.toList();
    }
  }

  static void setTimes(Path file, Instant modified, Instant accessed) {
    try {
      Files.getFileAttributeView(file, BasicFileAttributeView.class)
          .setTimes(FileTime.from(modified), FileTime.from(accessed), null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void setAccessTime(Instant accessed) {
    setTimes(chunk(), modificationTime(chunk()), accessed);
  }

  static Instant accessTime(Path file) {
    return time(file, "lastAccessTime");
  }

  static Instant modificationTime(Path file) {
    return time(file, "lastModifiedTime");
  }

  private static Instant time(Path file, String attribute) {
    try {
      return ((FileTime) Files.getAttribute(file, attribute)).toInstant();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    log.close();
    posix.close();
  }
}
