package io.tidemark.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.flush.MissingChunks;
import io.tidemark.guard.Tripwires;
import io.tidemark.guard.Wire;
import io.tidemark.report.StopToken;
import io.tidemark.store.CacheSize;
import io.tidemark.store.LockMode;
import io.tidemark.warm.Rewarm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;

/** The history of one store: collections with a busy server, then two in peace; by its seed. */
final class ModelHistory {
  private static final List<Strategy> STRATEGIES = List.of(Strategy.values());
  private static final List<Window> WINDOWS =
      List.of(Window.AUTO, Window.ALL, Window.DIRECTORY, Window.of(1), Window.of(3));
  private static final List<Integer> BATCHES = List.of(1, 2, 5, 1000);
  private static final List<Integer> CACHES = List.of(0, 1, 3, 1000);
  private static final List<Integer> GRACES = List.of(1, 2, 30, 300, 1445);
  private static final Set<String> EXPECTED =
      Set.of("missing-chunk", "unexpected-index", "unexpected-indexes");

  /* What a model server does in a moment takes a real one weeks. */
  private static final Tripwires WIRES =
      new Tripwires(OptionalInt.of(100), EnumSet.allOf(Wire.class));

  static final int RUNS = 12;

  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final long seed;
  private final Path root;
  private final Random random;
  private final ModelServer server;
  private final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
  private boolean aside;
  private long removed;
  private int interleaved;
  private int continued;

  ModelHistory(Path root, long seed) {
    this.seed = seed;
    this.root = root;
    random = new Random(~seed);
    server = new ModelServer(root, seed);
  }

  /** Runs the history; throws when anything is wrong. */
  void run() {
    try {
      server.work(30 + random.nextInt(60));
      for (int i = 0; i < RUNS; i++) {
        server.busy(random.nextInt(4) == 0 ? 0 : 30 + random.nextInt(400));
        interleaved();
        server.work(random.nextInt(20));
        if (random.nextBoolean()) {
          server.passTime(Duration.ofMinutes(random.nextInt(6000)));
        }
      }
      server.busy(0);
      server.finishAll();
      quiet();
      server.disk.delete();
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed + " in " + root + "\n" + server.history, e);
    } finally {
      server.close();
    }
  }

  /** Adds what happened. */
  void addTo(ModelRuns sums) {
    sums.runs += RUNS;
    sums.interleaved += interleaved;
    sums.continued += continued;
    sums.steps += server.steps;
    sums.removed += removed;
    sums.failedUploads += server.failedUploads;
    sums.moves += server.moves;
    sums.corrupt += server.verified;
    outcomes.forEach((outcome, count) -> sums.outcomes.merge(outcome, count, Integer::sum));
  }

  private void interleaved() {
    StopToken stop = new StopToken();
    Runnable stopping =
        random.nextInt(3) > 0
            ? stop::request
            : () -> {
              throw new Crash();
            };
    server.interrupt(random.nextInt(4) == 0 ? 1 + random.nextInt(300) : -1, stopping);
    if (!isJournalLeft()) { // what a continued run found missing, it says again
      server.everCorrupt.clear();
    }
    server.everCorrupt.addAll(server.corrupt);
    Options options = options();
    server.note("run " + options);
    long before = server.steps;
    Report report = collect(options, stop);
    interleaved += server.steps > before ? 1 : 0;
    server.note(report.outcome() + " " + report.error().orElse(""));
    outcomes.merge(report.outcome(), 1, Integer::sum);
    removed += report.status().removedChunks();
    continued += report.continuedFrom().isPresent() ? 1 : 0;
    boolean crashed = report.error().filter(error -> error.contains("Crash")).isPresent();
    aside = crashed || (aside && report.outcome().compareTo(Outcome.WARNINGS) > 0);
    check(server.missing(aside), "lost");
    if (!crashed) {
      check(wrong(report), "ended in a way that nothing explains");
    }
  }

  private boolean isJournalLeft() {
    String[] files = root.resolve("state").toFile().list();
    return files != null && files.length > 0;
  }

  private String wrong(Report report) {
    String error = report.error().orElse("");
    for (MissingChunks.Missing missing : report.missing()) {
      int digest = server.disk.numberOf(missing.digest());
      if (!server.everCorrupt.contains(digest)) {
        return "found missing: " + digest;
      }
    }
    boolean explained =
        switch (report.outcome()) {
          case DONE, STOPPED -> true;
          // A group that was moved and moved back is found outside of the live walk.
          case WARNINGS ->
              report.warnings().stream()
                  .allMatch(
                      warning ->
                          EXPECTED.contains(warning.id())
                              || warning.toString().contains("journal"));
          case BUSY ->
              report.error().isPresent()
                  && (!server.writers.isEmpty() || error.contains("is busy"));
          case REFUSED, FAILED ->
              error.contains("clock") || error.contains("vanished") || error.contains("dry run");
        };
    return explained ? "" : report.outcome() + " " + error;
  }

  private Report collect(Options options, StopToken stop) {
    Environment environment =
        new Environment(server.disk::calls, server.clock, CacheSize.SYSTEM, server);
    return new Collector(
            options, environment, ProgressListener.NONE, stop, ModelDisk.CHUNK_DIRECTORIES)
        .run();
  }

  private Options options() {
    Strategy strategy = pick(STRATEGIES);
    Options.Builder builder =
        Options.builder(server.disk.base)
            .host(server.disk.host)
            .atimeCheck(Options.AtimeCheckMode.SKIP)
            .emptyIndexSet(Options.EmptyIndexSet.ALLOW)
            .strategy(strategy)
            .batchSize(pick(BATCHES))
            .cacheCapacity(pick(CACHES))
            .graceMinutes(pick(GRACES))
            .workers(1 + random.nextInt(2))
            .window(pick(WINDOWS))
            .rewarm(pick(List.of(Rewarm.values())))
            .memory(Options.LEAST_MEMORY)
            .lockMode(random.nextInt(10) == 0 ? LockMode.EXCLUSIVE : LockMode.SHARED)
            .tripwires(WIRES);
    if (random.nextInt(4) == 0) {
      builder.removalLog(root + "/removals");
    }
    if (random.nextInt(2) == 0) {
      Continuation.Mode mode =
          random.nextInt(4) == 0 ? Continuation.Mode.KEEP : Continuation.Mode.RESUME;
      builder.continuation(
          Continuation.NONE
              .noting(Duration.ZERO, 1 + random.nextInt(5))
              .journal(mode, root + "/state"));
    }
    if (strategy == Strategy.ORDERED && random.nextInt(3) == 0) {
      builder.touchIfOlder(Duration.ofSeconds(random.nextInt(4000)));
    }
    if (random.nextInt(20) == 0) {
      builder.action(Options.Action.DRY_RUN);
    }
    return builder.build();
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  /* What a crashed writer leaves under a temporary name is none of a collection's business. */
  private void quiet() {
    server.disk.emptyJournal();
    server.interrupt(-1, () -> {});
    for (int i = 0; i < 2; i++) {
      server.passGrace(Duration.ofMinutes(1));
      Report report =
          collect(
              Options.builder(server.disk.base)
                  .host(server.disk.host)
                  .atimeCheck(Options.AtimeCheckMode.SKIP)
                  .emptyIndexSet(Options.EmptyIndexSet.ALLOW)
                  .strategy(pick(STRATEGIES))
                  .workers(1)
                  .batchSize(1000)
                  .memory(Options.LEAST_MEMORY)
                  .graceMinutes(1)
                  .tripwires(WIRES)
                  .build(),
              new StopToken());
      check(report.outcome().compareTo(Outcome.WARNINGS) > 0 ? report.toString() : "", "quiet run");
    }
    check(server.missing(false), "lost");
    Set<String> garbage = server.garbage();
    garbage.removeIf(name -> name.contains(".tmp_"));
    check(garbage.isEmpty() ? "" : garbage.toString(), "garbage left");
  }

  private void check(String wrong, String what) {
    assertThat(wrong).as("%s; seed %s in %s%n%s", what, seed, root, server.history).isEmpty();
  }
}
