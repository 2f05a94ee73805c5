package io.tidemark.benchmarks;

import io.tidemark.batch.ExternalSort;
import io.tidemark.batch.RowStream;
import io.tidemark.batch.SpillDirectory;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.StopToken;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many digests a second can be collected, spilled as sorted runs and merged, by the number that
 * fits into memory? The largest size spills nothing.
 *
 * <pre>benchmarks/jmh SpillAndMerge</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-Xmx512m"})
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
public class SpillAndMerge {
  private static final int DIGESTS = 1 << 21;

  @Param({"65536", "262144", "2097152"})
  private int rowsInMemory;

  private Digests digests;
  private String directory;

  @Setup
  public void makeDigests() {
    digests = Digests.uniform(DIGESTS, 1);
    directory = System.getProperty("bench.dir", SpillDirectory.standardPath());
  }

  @Benchmark
  @OperationsPerInvocation(DIGESTS)
  public long sort() {
    try (SystemCalls calls = Posix.open();
        SpillDirectory spill = new SpillDirectory(calls, directory);
        ExternalSort sort = new ExternalSort(4, 4, rowsInMemory, spill, new StopToken())) {
      long[] words = digests.words;
      for (int i = 0; i < words.length; i += 4) {
        sort.add(words[i], words[i + 1], words[i + 2], words[i + 3], i);
      }
      long sum = 0;
      for (RowStream sorted = sort.finish(); sorted.next(); ) {
        sum += sorted.word(0);
      }
      return sum;
    }
  }
}
