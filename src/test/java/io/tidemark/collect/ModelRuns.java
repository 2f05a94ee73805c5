package io.tidemark.collect;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.LoggerFactory;

/** Runs histories of the model, and adds up what happened in them. */
final class ModelRuns {
  /*
   * By hand: java -cp target/classes:target/test-classes:... --enable-native-access=ALL-UNNAMED
   * io.tidemark.collect.ModelRuns DIRECTORY FIRST COUNT THREADS
   */
  private final Path root;
  final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
  long runs;
  long interleaved;
  long steps;
  long failedUploads;
  long moves;
  long removed;
  long corrupt;
  long continued;

  ModelRuns(Path root) {
    this.root = root;
  }

  /** Runs the histories of the seeds from {@code first} on; throws at the first that goes wrong. */
  void run(int first, int count, int threads) {
    Logger logger = (Logger) LoggerFactory.getLogger("io.tidemark");
    logger.setLevel(Level.OFF);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> futures = new ArrayList<>();
      for (int seed = first; seed < first + count; seed++) {
        int own = seed;
        futures.add(pool.submit(() -> one(own)));
      }
      try {
        for (Future<?> future : futures) {
          future.get();
        }
      } catch (ExecutionException | InterruptedException e) {
        pool.shutdownNow();
        throw new AssertionError(e.getCause() == null ? e : e.getCause());
      }
    } finally {
      logger.setLevel(null);
    }
  }

  private void one(int seed) {
    ModelHistory history = new ModelHistory(root.resolve("seed-" + seed), seed);
    history.run();
    synchronized (this) {
      history.addTo(this);
    }
  }

  /** Returns the sums in words. */
  @Override
  public String toString() {
    return ("%d collections, %d of them with other work in between, %d steps of it; %d chunks"
            + " removed, %d uploads failed, %d groups moved, %d chunks corrupted, %d runs"
            + " continued; %s")
        .formatted(
            runs,
            interleaved,
            steps,
            removed,
            failedUploads,
            moves,
            corrupt,
            continued,
            outcomes.toString());
  }

  /** Returns a directory in memory, or the given one where there is no such thing. */
  static Path inMemory(Path other) {
    Path memory = Path.of("/dev/shm");
    return Files.isWritable(memory)
        ? memory.resolve("tidemark-model-" + ProcessHandle.current().pid())
        : other;
  }

  /** Runs histories by hand. */
  public static void main(String[] arguments) {
    ModelRuns runs = new ModelRuns(Path.of(arguments[0]));
    long start = System.nanoTime();
    try {
      runs.run(
          Integer.parseInt(arguments[1]),
          Integer.parseInt(arguments[2]),
          Integer.parseInt(arguments[3]));
    } finally {
      System.out.printf("%s; %.1f s%n", runs, (System.nanoTime() - start) / 1e9);
    }
  }
}
