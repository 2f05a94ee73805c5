package io.tidemark.benchmarks;

import io.tidemark.collect.Collector;
import io.tidemark.collect.Options;
import io.tidemark.collect.ProgressListener;
import io.tidemark.collect.Report;
import io.tidemark.collect.Strategy;
import io.tidemark.report.StopToken;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * How long does a whole collection take, mark and sweep, when everything is in memory, by strategy
 * and batch size? A fifth of the chunks is removed.
 *
 * <pre>benchmarks/jmh WarmCollection</pre>
 *
 * <p>{@code -p strategy=...} also takes strategies that are not in the list here; a batch size
 * means nothing to {@code immediate} and {@code prefetch}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-Xmx512m"})
@Warmup(iterations = 5)
@Measurement(iterations = 10)
public class WarmCollection {
  private static final int USED = 40_000;
  private static final int GARBAGE = 10_000;
  private static final int DIRECTORIES = 256;
  private static final int INDEX_FILES = 5;
  private static final Duration OLD = Duration.ofDays(3);

  @Param({"IMMEDIATE", "PREFETCH", "DEFERRED"})
  private String strategy;

  @Param({"8192", "1048576"})
  private int batchSize;

  private final Digests garbage = Digests.uniform(GARBAGE, 2, DIRECTORIES);
  private BenchStore store;

  @Setup
  public void makeStore() throws IOException {
    store = new BenchStore();
    Digests used = Digests.uniform(USED, 1, DIRECTORIES);
    store.chunks(used, OLD);
    for (int i = 0; i < INDEX_FILES; i++) {
      store.index("2026-01-0" + (i + 1) + "T00:00:00Z", "fidx", used.references(USED, i));
    }
    store.index("2026-01-09T00:00:00Z", "didx", used);
  }

  @Setup(Level.Invocation)
  public void makeGarbage() throws IOException {
    store.chunks(garbage, OLD);
  }

  @TearDown
  public void removeStore() throws IOException {
    store.close();
  }

  @Benchmark
  public Report collect() {
    Options options =
        Options.builder(store.path())
            .strategy(Strategy.valueOf(strategy))
            .batchSize(batchSize)
            .atimeCheck(Options.AtimeCheckMode.SKIP) // it sleeps for a second
            .host(store.host())
            .build();
    Report report = new Collector(options, ProgressListener.NONE, new StopToken()).run();
    if (!report.outcome().isSuccess() || report.status().removedChunks() != GARBAGE) {
      throw new IllegalStateException(report.toString());
    }
    return report;
  }
}
