package io.tidemark.plan;

import java.util.List;

/**
 * How long a collection is likely to take with one strategy.
 *
 * @param strategy its name on the command line
 * @param seconds at least and at most, by the model below; no confidence goes with it
 */
public record Forecast(String strategy, Interval seconds) {
  /*
   * With I to read the index files, L to list all directories, and D and N to look up one chunk in
   * the order of digests and of inodes, in one directory at a time:
   *
   *   immediate  I + touches D + L + chunks N, in one thread up to the sweep
   *   prefetch   the same after L; when all metadata fits in memory, the touches cost little
   *   deferred   I + batches L + touches (N to D) + L + chunks N
   *   ordered    I + L + touches (little to N); the sweep looks at unused chunks alone
   *
   * A plan writes nothing, so a touch is not measured: at least it costs a look-up, at most twice
   * that, since a block that was read is written back. How many references the cache of digests
   * saves is not known either: touches are at least one a used chunk, at most one a reference.
   * To all of that comes the start of the program, and a second of waiting in the check of access
   * times.
   */
  private static final double LEAST_START = 1;
  private static final double MOST_START = 4;
  private static final double SECONDS_IN_MEMORY = 4e-6;
  private static final double WRITTEN_BACK = 2;

  /** Returns the forecast for each strategy. */
  public static List<Forecast> of(Workload work, Rates rates) {
    Model model = new Model(work, rates);
    return List.of(
        new Forecast("immediate", model.immediate()),
        new Forecast("prefetch", model.prefetch()),
        new Forecast("deferred", model.deferred()),
        new Forecast("ordered", model.ordered()));
  }

  /** The parts of a run, in seconds. */
  private record Model(Workload work, Rates rates) {
    private double index() {
      return work.references() * rates.secondsAReference();
    }

    private double list() {
      return work.directories() * rates.secondsAListing() / rates.threads();
    }

    private double sweep() {
      return list() + work.chunks() * inode() / rates.threads();
    }

    /* A sample can be unlucky; the order of inodes is no worse than another. */
    private double inode() {
      return Math.min(rates.secondsByInode(), rates.secondsByDigest());
    }

    private double touches() {
      return Math.max((double) work.references(), work.used().high());
    }

    private Interval range(double low, double high) {
      double least = low + LEAST_START;
      double most = high + MOST_START;
      return new Interval(least, (least + most) / 2, most);
    }

    private Interval immediate() {
      return range(
          index() + work.used().low() * rates.secondsByDigest() + sweep(),
          index() + touches() * rates.secondsByDigest() * WRITTEN_BACK + sweep());
    }

    private Interval prefetch() {
      if (!work.fitsInMemory()) {
        Interval without = immediate();
        return without.plus(Interval.exactly(list()));
      }
      double reads = list() + index() + sweep();
      return range(
          reads + work.used().low() * SECONDS_IN_MEMORY,
          reads + work.used().high() * inode() + touches() * SECONDS_IN_MEMORY);
    }

    private Interval deferred() {
      double fewest = Math.ceil(work.used().low() / work.batchSize());
      double most = Math.ceil(touches() / work.batchSize());
      double again = work.fitsInMemory() ? 1 : most;
      return range(
          index()
              + Math.max(1, fewest == 0 ? 1 : Math.min(fewest, again)) * list()
              + work.used().low() * inode() / rates.threads()
              + sweep(),
          index()
              + Math.max(1, again) * list()
              + touches() * rates.secondsByDigest() * WRITTEN_BACK / rates.threads()
              + sweep());
    }

    private Interval ordered() {
      return range(
          index() + list() + work.used().low() * SECONDS_IN_MEMORY / rates.threads(),
          2 * index() + list() + work.chunks() * inode() * WRITTEN_BACK / rates.threads());
    }
  }
}
