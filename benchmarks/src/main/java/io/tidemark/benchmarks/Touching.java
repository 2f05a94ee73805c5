package io.tidemark.benchmarks;

import io.tidemark.posix.FileName;
import io.tidemark.posix.Open;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.ChunkStore;
import io.tidemark.store.EntryKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does one touch of a chunk take when all is in memory: relative to its open directory, by
 * the full path, and with java.nio?
 *
 * <pre>benchmarks/jmh Touching</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Touching {
  private static final int CHUNKS = 1000;

  private final List<Path> paths = new ArrayList<>();
  private final List<byte[]> names = new ArrayList<>();
  private BenchStore made;
  private Digests digests;
  private SystemCalls calls;
  private ChunkStore store;
  private ChunkDirectory directory;

  @Setup
  public void makeChunks() throws IOException {
    made = new BenchStore();
    digests = Digests.uniform(CHUNKS, 1, 1);
    made.chunks(digests, Duration.ofDays(3));
    for (int i = 0; i < CHUNKS; i++) {
      paths.add(made.chunk(digests, i));
      names.add(FileName.encode(paths.get(i).toString()));
    }
    calls = Posix.open();
    store = ChunkStore.open(calls, made.path());
    directory = store.directory(calls);
  }

  @TearDown
  public void removeChunks() throws IOException {
    directory.close();
    store.close();
    calls.close();
    made.close();
  }

  @Benchmark
  @OperationsPerInvocation(CHUNKS)
  public int relativeToDirectory() {
    directory.open(0);
    int failed = 0;
    for (int i = 0; i < CHUNKS; i++) {
      failed |=
          directory.touch(
              digests.word(i, 0),
              digests.word(i, 1),
              digests.word(i, 2),
              digests.word(i, 3),
              EntryKind.CHUNK);
    }
    return require(failed);
  }

  @Benchmark
  @OperationsPerInvocation(CHUNKS)
  public int fullPath() {
    int failed = 0;
    for (int i = 0; i < CHUNKS; i++) {
      failed |= calls.utimensat(Open.AT_FDCWD, names.get(i), Open.AT_SYMLINK_NOFOLLOW);
    }
    return require(failed);
  }

  @Benchmark
  @OperationsPerInvocation(CHUNKS)
  public int nio() throws IOException {
    for (int i = 0; i < CHUNKS; i++) {
      Files.getFileAttributeView(paths.get(i), BasicFileAttributeView.class)
          .setTimes(null, FileTime.from(Instant.now()), null);
    }
    return CHUNKS;
  }

  private static int require(int failed) {
    if (failed != 0) {
      throw new IllegalStateException("a touch failed with " + failed);
    }
    return failed;
  }
}
