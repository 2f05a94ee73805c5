package io.tidemark.benchmarks;

import io.tidemark.batch.Rows;
import java.util.Arrays;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does it take to sort a batch of digests: flat rows by radix, or an object a digest by
 * comparison, on one thread and on all?
 *
 * <pre>benchmarks/jmh BatchSort</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BatchSort {
  @Param({"4096", "65536", "1048576"})
  private int size;

  private Digests digests;
  private Rows rows;
  private Digest[] unsorted;
  private Digest[] objects;

  private record Digest(long w0, long w1, long w2, long w3, int owner)
      implements Comparable<Digest> {
    @Override
    public int compareTo(Digest other) {
      int order = Long.compareUnsigned(w0, other.w0);
      order = order != 0 ? order : Long.compareUnsigned(w1, other.w1);
      order = order != 0 ? order : Long.compareUnsigned(w2, other.w2);
      return order != 0 ? order : Long.compareUnsigned(w3, other.w3);
    }
  }

  @Setup
  public void makeDigests() {
    digests = Digests.uniform(size, 1);
    rows = new Rows(4, size);
    unsorted = new Digest[size];
    for (int i = 0; i < size; i++) {
      unsorted[i] =
          new Digest(
              digests.word(i, 0), digests.word(i, 1), digests.word(i, 2), digests.word(i, 3), i);
    }
  }

  /* A sort takes a third of a millisecond at least, beside which the harness's own is small. */
  @Setup(Level.Invocation)
  public void shuffle() {
    rows.clear();
    for (int i = 0; i < size; i++) {
      rows.add(digests.word(i, 0), digests.word(i, 1), digests.word(i, 2), digests.word(i, 3), i);
    }
    objects = unsorted.clone();
  }

  @Benchmark
  public Rows rows() {
    rows.sort();
    return rows;
  }

  @Benchmark
  public Object[] objects() {
    Arrays.sort(objects);
    return objects;
  }

  @Benchmark
  public Object[] objectsInParallel() {
    Arrays.parallelSort(objects);
    return objects;
  }
}
