package io.tidemark.benchmarks;

import io.tidemark.posix.Dirents;
import io.tidemark.posix.FileName;
import io.tidemark.posix.Open;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does it take to list a chunk directory that is in memory, by the size of the buffer that
 * getdents64 fills, and with java.nio?
 *
 * <p>ZFS gains more from a large buffer than this shows: it prefetches for the first call alone.
 *
 * <pre>benchmarks/jmh Listing</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Listing {
  @Param({"1000", "11000"})
  private int entries;

  private BenchStore store;
  private SystemCalls calls;
  private Path directory;
  private byte[] name;

  /** The buffer, which java.nio does without. */
  @State(Scope.Thread)
  public static class Buffer {
    @Param({"32768", "262144", "1048576", "4194304"})
    private int bytes;

    private Dirents dirents;

    @Setup
    public void allocate() {
      dirents = new Dirents(bytes);
    }

    @TearDown
    public void release() {
      dirents.close();
    }
  }

  @Setup
  public void makeDirectory() throws IOException {
    store = new BenchStore();
    Digests digests = Digests.uniform(entries, 1, 1);
    store.chunks(digests, Duration.ofDays(3));
    calls = Posix.open();
    directory = store.chunk(digests, 0).getParent();
    name = FileName.encode(directory.toString());
  }

  @TearDown
  public void removeDirectory() throws IOException {
    calls.close();
    store.close();
  }

  @Benchmark
  public long getdents(Buffer buffer) {
    Dirents dirents = buffer.dirents;
    int fd = calls.openat(Open.AT_FDCWD, name, Open.O_RDONLY | Open.O_DIRECTORY, 0);
    long sum = 0;
    while (calls.getdents64(fd, dirents) > 0) {
      while (dirents.next()) {
        sum += dirents.inode() ^ dirents.nameWord(0);
      }
    }
    calls.close(fd);
    return sum;
  }

  @Benchmark
  public long nio() throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.mapToLong(path -> path.getFileName().toString().length()).sum();
    }
  }
}
