package io.tidemark.benchmarks;

import io.tidemark.digest.DigestSink;
import io.tidemark.digest.RecentDigests;
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
 * How many digests a second can the cache of recent ones look up, by its size, by how many distinct
 * ones there are, and by their order: the same image over and over, as snapshots have it, or any?
 *
 * <pre>benchmarks/jmh DigestCache</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx1g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DigestCache {
  private static final int LOOKUPS = 1 << 21;

  @Param({"65536", "1048576"})
  private int capacity;

  @Param({"snapshots", "random"})
  private String order;

  /** Distinct digests as a multiple of the capacity; 5 hits never, and in random order 1 in 5. */
  @Param({"0.5", "5"})
  private double distinct;

  private Digests lookups;
  private RecentDigests recent;

  @Setup
  public void fill() {
    recent = new RecentDigests(capacity);
    Digests known = Digests.uniform((int) (capacity * distinct), 1);
    lookups = order.equals("random") ? known.references(LOOKUPS, 2) : known.snapshots(LOOKUPS);
    lookUp();
  }

  /** As the engine does it: what a group of look-ups needs is loaded at once. */
  @Benchmark
  @OperationsPerInvocation(LOOKUPS)
  public long lookUpInGroups() {
    long[] words = lookups.words;
    long[] seconds = new long[DigestSink.GROUP];
    int words4 = 4 * DigestSink.GROUP;
    for (int group = 0; group < words.length; group += words4) {
      for (int i = 0; i < DigestSink.GROUP; i++) {
        seconds[i] = words[group + 4 * i + 1];
      }
      recent.prepare(seconds, DigestSink.GROUP);
      for (int i = group; i < group + words4; i += 4) {
        recent.seen(words[i], words[i + 1], words[i + 2], words[i + 3]);
      }
    }
    return recent.hits();
  }

  @Benchmark
  @OperationsPerInvocation(LOOKUPS)
  public long lookUp() {
    long[] words = lookups.words;
    for (int i = 0; i < words.length; i += 4) {
      recent.seen(words[i], words[i + 1], words[i + 2], words[i + 3]);
    }
    return recent.hits();
  }
}
