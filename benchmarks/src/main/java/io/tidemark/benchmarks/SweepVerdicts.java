package io.tidemark.benchmarks;

import io.tidemark.sweep.Cutoff;
import java.util.SplittableRandom;
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
 * How many chunks a second can the sweep decide about, beside asking for their access times?
 *
 * <pre>benchmarks/jmh SweepVerdicts</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SweepVerdicts {
  private static final int CHUNKS = 1 << 16;
  private static final long START = 1_800_000_000L;
  private static final long GRACE = 86_700;

  private final long[] atimes = new long[CHUNKS];
  private Cutoff cutoff;

  /** The share of chunks that were touched in this run; the others are of any age. */
  @Param({"0.5", "0.9"})
  private double used;

  @Setup
  public void makeTimes() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < CHUNKS; i++) {
      atimes[i] = random.nextDouble() < used ? START + 60 : START - random.nextLong(3 * GRACE);
    }
    cutoff = Cutoff.of(START, START, GRACE);
  }

  @Benchmark
  @OperationsPerInvocation(CHUNKS)
  public int decide() {
    int removed = 0;
    for (long atime : atimes) {
      if (cutoff.verdict(atime) == Cutoff.Verdict.REMOVE) {
        removed++;
      }
    }
    return removed;
  }
}
