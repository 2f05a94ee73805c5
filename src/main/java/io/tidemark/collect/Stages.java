package io.tidemark.collect;

import io.tidemark.batch.SpillDirectory;
import io.tidemark.flush.MissingChunks;
import io.tidemark.flush.Toucher;
import io.tidemark.index.IndexFiles;
import io.tidemark.log.RemovalLog;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.Point;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.ChunkHandles;
import io.tidemark.store.ChunkStore;
import io.tidemark.store.Device;
import io.tidemark.store.EpochClock;
import io.tidemark.sweep.Cutoff;
import io.tidemark.work.WorkerCount;
import io.tidemark.work.Workers;
import java.util.Optional;
import java.util.function.Supplier;

/** Puts the stages of one run together, as its strategy wants them. */
final class Stages implements AutoCloseable {
  private final RunState state;
  private final SystemCalls calls;
  private final ChunkStore store;
  private final MissingChunks missing;
  private final Workers<Hand> workers;
  private final SpillDirectory spill;
  private final Recorder recorder;

  Stages(
      RunState state,
      SystemCalls calls,
      ChunkStore store,
      IndexFiles index,
      RunJournal journal,
      Start start,
      Cutoff cutoff) {
    this.state = state;
    this.calls = calls;
    this.store = store;
    this.missing = new MissingChunks(tag -> index.path(OwnerTag.number(tag)), state.log);
    state.missing = missing;
    this.spill =
        state.options.action() == Options.Action.EMERGENCY
            ? SpillDirectory.off(
                store.chunksStatus().device(), calls, state.options.spillDirectory())
            : new SpillDirectory(calls, state.options.spillDirectory());
    this.workers = new Workers<>(workerCounts(), () -> new Hand(store, state), state.stop);
    this.recorder = new Recorder(state, journal, calls, store, workers, start, cutoff);
    openRemovalLog();
  }

  private void openRemovalLog() {
    if (state.options.action() != Options.Action.DRY_RUN) {
      EpochClock clock = state.environment.clock();
      state.removalLog =
          state
              .options
              .removalLog()
              .map(path -> RemovalLog.open(calls, path, store.base(), clock, state.log));
    }
  }

  private Supplier<WorkerCount> workerCounts() {
    int asked = state.options.workers();
    if (asked != 0) {
      return () -> WorkerCount.fixed(asked);
    }
    Device device = Device.of(store);
    state.log.info(
        "Starting with %d workers, up to %d: %s"
            .formatted(device.firstWorkers(), device.mostWorkers(), device.description()));
    return () -> WorkerCount.following(device.firstWorkers(), device.mostWorkers());
  }

  Recorder recorder() {
    return recorder;
  }

  Marking marking(Cutoff cutoff) {
    if (state.options.action() == Options.Action.DRY_RUN) {
      return new DryRunMarking(state, workers, missing, sorts().references());
    }
    if (state.options.action() == Options.Action.EMERGENCY) {
      return new EmergencyMarking(state, workers, missing, sorts(), cutoff, recorder);
    }
    Toucher toucher = new Toucher(missing, state.touched);
    FullSweep sweep = new FullSweep(state, workers, recorder);
    return switch (state.options.strategy()) {
      case IMMEDIATE ->
          new ImmediateMarking(state, new Hand(store, state), toucher, sweep, recorder);
      case PREFETCH -> {
        state.phase("prefetch", () -> new Prefetch(state, workers).run());
        state.points.reach(Point.PREFETCHED);
        yield new ImmediateMarking(state, new Hand(store, state), toucher, sweep, recorder);
      }
      case DEFERRED ->
          new DeferredMarking(state, workers, toucher, sweep, recorder, this::directory);
      case AUTO -> {
        state.log.info(
            "Strategy ordered: it reads and writes each block of inodes once, on every file"
                + " system");
        yield ordered(toucher, cutoff);
      }
      case ORDERED -> ordered(toucher, cutoff);
    };
  }

  /** Returns the threads that share the work. */
  Workers<Hand> workers() {
    return workers;
  }

  private ChunkDirectory directory() {
    return store.directory(state.environment.calls());
  }

  private Marking ordered(Toucher toucher, Cutoff cutoff) {
    Optional<ChunkHandles> handles;
    Window window;
    try (ChunkDirectory directory = store.directory(calls)) {
      WindowChoice choice = new WindowChoice(state, store, directory);
      handles = handles(directory, choice);
      window = choice.choose(handles.isPresent());
    }
    return new OrderedMarking(
        state,
        workers,
        toucher,
        window,
        handles,
        sorts(),
        cutoff,
        new WriteBack(state, store, workers),
        recorder,
        this::directory);
  }

  /* On XFS a handle costs a look-up of its generation, more than a name in a directory at hand. */
  private Optional<ChunkHandles> handles(ChunkDirectory directory, WindowChoice choice) {
    Optional<ChunkHandles.Sample> sample = store.anyChunk(directory);
    if (sample.isEmpty()) {
      return Optional.empty();
    }
    ChunkHandles.Probe probe = ChunkHandles.probe(calls, store, directory, sample.get());
    if (probe.handles().filter(ChunkHandles::needsGenerations).isPresent()
        && choice.directoriesFit()) {
      state.log.info("Chunks are touched by name: the directories fit in memory");
      return Optional.empty();
    }
    state.log.info(
        probe.handles().isPresent()
            ? "Chunks are touched by file handle"
            : "Chunks are touched by name: " + probe.reason());
    return probe.handles();
  }

  private Sorts sorts() {
    return new Sorts(SortMemory.bytes(state.options.memory()), spill, state.stop, state.points);
  }

  @Override
  public void close() {
    workers.close();
    state.removalLog.ifPresent(RemovalLog::close);
    spill.close();
  }
}
