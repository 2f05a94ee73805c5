package io.tidemark.collect;

import io.tidemark.batch.ExternalSort;
import io.tidemark.batch.SpillDirectory;
import io.tidemark.flush.MissingChunks;
import io.tidemark.flush.Toucher;
import io.tidemark.index.IndexFiles;
import io.tidemark.posix.SystemCalls;
import io.tidemark.store.ChunkStore;
import io.tidemark.work.WorkerCount;
import io.tidemark.work.Workers;

/** Puts the stages of one run together, as its strategy wants them. */
final class Stages implements AutoCloseable {
  private final RunState state;
  private final SystemCalls calls;
  private final ChunkStore store;
  private final MissingChunks missing;
  private final Workers<Hand> workers;

  Stages(RunState state, SystemCalls calls, ChunkStore store, IndexFiles index) {
    this.state = state;
    this.calls = calls;
    this.store = store;
    this.missing = new MissingChunks(index::path, state.log);
    state.missing = missing;
    int workers = state.options.workers();
    this.workers =
        new Workers<>(
            WorkerCount.fixed(workers == 0 ? 1 : workers),
            () -> new Hand(store, state),
            state.stop);
  }

  Marking marking() {
    if (state.options.action() == Options.Action.DRY_RUN) {
      return new DryRunMarking(state, workers, missing, externalSort());
    }
    Toucher toucher = new Toucher(missing, state.touched);
    FullSweep sweep = new FullSweep(state, workers);
    return switch (state.options.strategy()) {
      case IMMEDIATE -> new ImmediateMarking(state, new Hand(store, state), toucher, sweep);
      case PREFETCH -> {
        state.phase("prefetch", () -> new Prefetch(state, workers).run());
        yield new ImmediateMarking(state, new Hand(store, state), toucher, sweep);
      }
      case DEFERRED -> new DeferredMarking(state, workers, toucher, sweep);
    };
  }

  private ExternalSort externalSort() {
    return new ExternalSort(
        4,
        4,
        state.options.batchSize(),
        new SpillDirectory(calls, System.getProperty("java.io.tmpdir", "/tmp")),
        state.stop);
  }

  @Override
  public void close() {
    workers.close();
  }
}
