package io.tidemark.collect;

import io.tidemark.batch.DirectoryRun;
import io.tidemark.batch.DirectoryRuns;
import io.tidemark.batch.Rows;
import io.tidemark.digest.DigestSink;
import io.tidemark.index.IndexVisitor;
import io.tidemark.report.StopToken;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.BooleanSupplier;

/** Keeps, of all references, those to chunks in some directories, while time and memory allow. */
final class SampledReferences implements IndexVisitor, DigestSink {
  /*
   * 256 directories of 65,536 leave one reference in 256, and of these one of each chunk. To know
   * what is unused, every index file must have been read: half of them would make the chunks of the
   * other half look like garbage. So when the time does not suffice, nothing is known.
   */
  private static final int MOST_ROWS = 1 << 22;
  private static final int LOOK_AT_CLOCK = 1 << 14;
  private static final int NO_RUN = -1;

  /** Says that there is no answer: the time is up, or there are too many references. */
  static final class GivenUpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GivenUpException() {
      super("the index files were not read to their end");
    }
  }

  private final BitSet prefixes;
  private final StopToken stop;
  private final BooleanSupplier isHopeless;
  private final Rows rows = new Rows(4, MOST_ROWS);
  private final int[] runOf = new int[FullSweep.DIRECTORIES];
  private long read;
  private DirectoryRuns runs = new DirectoryRuns(rows);

  /**
   * @param prefixes the directories that matter
   * @param isHopeless is asked now and then whether to give up
   */
  SampledReferences(BitSet prefixes, StopToken stop, BooleanSupplier isHopeless) {
    this.prefixes = prefixes;
    this.stop = stop;
    this.isHopeless = isHopeless;
    Arrays.fill(runOf, NO_RUN);
  }

  @Override
  public DigestSink begin(int owner) {
    return this;
  }

  @Override
  public void accept(long w0, long w1, long w2, long w3) {
    if (++read % LOOK_AT_CLOCK == 0 && isHopeless.getAsBoolean()) {
      throw new GivenUpException();
    }
    if (prefixes.get((int) (w0 >>> 48))) {
      if (rows.isFull()) {
        sort();
        if (rows.size() > MOST_ROWS / 2) {
          throw new GivenUpException();
        }
      }
      rows.add(w0, w1, w2, w3, 0);
    }
  }

  private void sort() {
    rows.sort(stop);
    rows.dropDuplicates(4);
  }

  /** Returns how many references were read, kept or not. */
  long read() {
    return read;
  }

  /** Returns how many different chunks of the directories are required; after {@link #finish}. */
  int size() {
    return rows.size();
  }

  /** Puts the references in order, when all have been read. */
  void finish() {
    sort();
    runs = new DirectoryRuns(rows);
    for (int run = 0; run < runs.size(); run++) {
      runOf[runs.get(run).prefix()] = run;
    }
  }

  /** Returns the chunks that are required in a directory, ascending. */
  DirectoryRun in(int prefix) {
    return runOf[prefix] == NO_RUN ? new DirectoryRun(rows, 0, 0) : runs.get(runOf[prefix]);
  }
}
