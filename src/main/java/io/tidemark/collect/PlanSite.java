package io.tidemark.collect;

import io.tidemark.batch.SpillDirectory;
import io.tidemark.index.IndexFiles;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import io.tidemark.store.ChunkStore;
import io.tidemark.store.DatastoreConfig;
import io.tidemark.store.Device;
import io.tidemark.store.WriterGlance;
import io.tidemark.sweep.Cutoff;
import io.tidemark.work.WorkerCount;
import io.tidemark.work.Workers;
import java.util.BitSet;

/** A datastore that a plan looks at: opened without a lock, through calls that change nothing. */
final class PlanSite implements AutoCloseable {
  final RunState state;
  final ChunkStore store;
  final IndexFiles index;
  final Settings settings;
  final WriterGlance glance;
  final Cutoff cutoff;
  final Workers<Hand> workers;
  private final SystemCalls calls;
  private final SystemCalls spillCalls;
  private final SpillDirectory spill;

  /**
   * Opens the store and finds its index files.
   *
   * @throws io.tidemark.store.RefusedException when it is no datastore that can be collected
   */
  PlanSite(Options options, Environment environment, StopToken stop, RunLog log) {
    Environment quiet =
        new Environment(
            ReadOnlyCalls.around(environment.calls()),
            environment.clock(),
            environment.cache(),
            environment.points());
    state = new RunState(options, quiet, stop, FullSweep.DIRECTORIES, log);
    calls = quiet.calls().open();
    spillCalls = environment.calls().open();
    spill = new SpillDirectory(spillCalls, options.spillDirectory());
    ChunkStore opened = null;
    try {
      DatastoreConfig config = DatastoreConfig.read(options.host(), log);
      config.refuseUnusable(calls, options.store());
      settings = Settings.of(options, config.find(calls, options.store()));
      opened = ChunkStore.open(calls, options.store());
      store = opened;
      glance = WriterGlance.at(calls, options.store(), options.host(), quiet.clock());
      cutoff =
          Cutoff.of(glance.startSeconds(), glance.oldestWriterSeconds(), settings.graceSeconds());
      index =
          new IndexFiles(
              calls,
              options.store(),
              settings.storeName(),
              options.host(),
              stop,
              log,
              state.points);
      state.index = index;
      new Look(state, calls, store).run(index);
      workers = new Workers<>(this::workerCount, () -> new Hand(store, state), stop);
    } catch (RuntimeException e) {
      if (opened != null) {
        opened.close();
      }
      closeCalls();
      throw e;
    }
  }

  private WorkerCount workerCount() {
    int asked = state.options.workers();
    Device device = Device.of(store);
    return asked != 0
        ? WorkerCount.fixed(asked)
        : WorkerCount.following(device.firstWorkers(), device.mostWorkers());
  }

  /** Returns the sorts of this plan, which spill outside of the store. */
  Sorts sorts() {
    return new Sorts(SortMemory.bytes(state.options.memory()), spill, state.stop, state.points);
  }

  /** Returns the prefixes of the directories there are, in a scattered order. */
  int[] scatteredDirectories() {
    BitSet present = store.directories();
    int[] order = new int[present.cardinality()];
    int size = 0;
    for (int number = 0; number < FullSweep.DIRECTORIES; number++) {
      int prefix = FullSweep.scattered(number);
      if (present.get(prefix)) {
        order[size++] = prefix;
      }
    }
    return order;
  }

  /** Returns the monotonic time. */
  long nanos() {
    return state.environment.clock().monotonicNanos();
  }

  private void closeCalls() {
    spill.close();
    spillCalls.close();
    calls.close();
  }

  @Override
  public void close() {
    workers.close();
    store.close();
    closeCalls();
  }
}
