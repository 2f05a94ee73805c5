package io.tidemark.benchmarks;

import io.tidemark.digest.DigestSink;
import io.tidemark.digest.RecentDigests;
import io.tidemark.index.IndexFiles;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many digests a second come out of index files that are in the page cache, and how many when
 * each is looked up among the recent ones? Each is there four times, as in four snapshots of a
 * machine that does not change.
 *
 * <pre>benchmarks/jmh IndexReading</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-Xmx1g"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class IndexReading {
  private static final int DIGESTS = 1 << 21;
  private static final int DISTINCT = 1 << 19;

  @Param({"fidx", "didx"})
  private String format;

  private BenchStore store;
  private long sum;

  @Setup
  public void writeIndex() throws IOException {
    store = new BenchStore();
    Digests references = Digests.uniform(DISTINCT, 1).snapshots(DIGESTS);
    store.index("2026-01-01T00:00:00Z", format, references);
  }

  @TearDown
  public void removeStore() throws IOException {
    store.close();
  }

  @Benchmark
  @OperationsPerInvocation(DIGESTS)
  public long read() {
    try (SystemCalls calls = Posix.open()) {
      sum = 0;
      files(calls).mark(owner -> (w0, w1, w2, w3) -> sum += w0 ^ w1 ^ w2 ^ w3);
      return sum;
    }
  }

  @Benchmark
  @OperationsPerInvocation(DIGESTS)
  public long readAndLookUp() {
    RecentDigests recent = new RecentDigests(1 << 20);
    try (SystemCalls calls = Posix.open()) {
      DigestSink sink =
          new DigestSink() {
            @Override
            public void announce(long[] secondWords, int count) {
              recent.prepare(secondWords, count);
            }

            @Override
            public void accept(long w0, long w1, long w2, long w3) {
              recent.seen(w0, w1, w2, w3);
            }
          };
      files(calls).mark(owner -> sink);
      return recent.hits();
    }
  }

  private IndexFiles files(SystemCalls calls) {
    IndexFiles files =
        new IndexFiles(calls, store.path(), "store", store.host(), new StopToken(), new RunLog());
    files.discover();
    return files;
  }
}
