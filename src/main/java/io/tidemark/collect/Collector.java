package io.tidemark.collect;

import io.tidemark.index.CorruptIndexException;
import io.tidemark.index.IndexFiles;
import io.tidemark.journal.Checkpoint;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.GcSummary;
import io.tidemark.report.Point;
import io.tidemark.report.StopToken;
import io.tidemark.report.StoppedException;
import io.tidemark.store.Access;
import io.tidemark.store.BusyException;
import io.tidemark.store.ChunkStore;
import io.tidemark.store.DatastoreConfig;
import io.tidemark.store.RefusedException;
import io.tidemark.store.StatusFile;
import io.tidemark.store.StoreLock;
import io.tidemark.sweep.Cutoff;
import java.time.Instant;
import java.util.Optional;

/** Collects a datastore: marks what index files require, and removes what nobody needs. */
public final class Collector {
  /*
   * lock -> look -> check access times -> fix the cutoff -> mark -> sweep -> report. Whatever goes
   * wrong before the sweep ends the run with nothing removed. A collector holds no state between
   * runs and none that another collector sees.
   */
  private final Options options;
  private final Environment environment;
  private final ProgressListener listener;
  private final StopToken stop;

  public Collector(Options options, ProgressListener listener, StopToken stop) {
    this(options, Environment.SYSTEM, listener, stop);
  }

  /** Makes a collector that sees the machine through {@code environment}. */
  public Collector(
      Options options, Environment environment, ProgressListener listener, StopToken stop) {
    this.options = options;
    this.environment = environment;
    this.listener = listener;
    this.stop = stop;
  }

  /** Runs one collection; however it ends, the report says how. */
  public Report run() {
    RunState state = new RunState(options, environment, stop);
    try (Ticker ticker = new Ticker(state, listener)) {
      ticker.start();
      collect(state);
      boolean warned = !state.log.warningCounts().isEmpty();
      return state.report(warned ? Outcome.WARNINGS : Outcome.DONE, Optional.empty());
    } catch (StoppedException e) {
      return state.report(Outcome.STOPPED, Optional.of(Failure.stopped(state)));
    } catch (BusyException e) {
      return state.report(Outcome.BUSY, Optional.of(String.valueOf(e.getMessage())));
    } catch (RefusedException | CorruptIndexException | PosixException e) {
      return failed(state, String.valueOf(e.getMessage()));
    } catch (RuntimeException | OutOfMemoryError e) {
      return failed(state, Failure.unexpected(e));
    }
  }

  private static Report failed(RunState state, String why) {
    Outcome outcome = state.removals.attempted() ? Outcome.FAILED : Outcome.REFUSED;
    return state.report(outcome, Optional.of(Failure.line(state, why)));
  }

  private void collect(RunState state) {
    try (SystemCalls calls = environment.calls().open()) {
      DatastoreConfig config = DatastoreConfig.read(options.host(), state.log);
      config.refuseUnusable(calls, options.store());
      Settings settings = Settings.of(options, config.find(calls, options.store()));
      state.log.info("starting garbage collection on store " + settings.storeName());
      try (ChunkStore store = ChunkStore.open(calls, options.store());
          StoreLock lock = lock(state, calls)) {
        collect(state, settings, calls, store, lock);
      }
    }
  }

  private StoreLock lock(RunState state, SystemCalls calls) {
    return StoreLock.take(
        calls,
        options.store(),
        options.lockMode(),
        options.action() == Options.Action.DRY_RUN ? Access.READ_ONLY : Access.WRITE,
        options.patience(),
        options.host(),
        environment.clock(),
        stop,
        state.log);
  }

  private void collect(
      RunState state, Settings settings, SystemCalls calls, ChunkStore store, StoreLock lock) {
    state.points.reach(Point.LOCKED);
    IndexFiles index =
        new IndexFiles(
            calls,
            options.store(),
            settings.storeName(),
            options.host(),
            stop,
            state.log,
            state.points);
    state.index = index;
    state.phase("look", () -> new Look(state, calls, store).run(index));
    state.points.reach(Point.DISCOVERED);
    Guard guard = new Guard(state, store);
    guard.look(index.progress().filesTotal());
    Start start = new Start(state, settings, calls, store, lock);
    state.phase("check", start::check);
    state.points.reach(Point.CHECKED);
    RunJournal journal = new RunJournal(state, settings, calls, store);
    journal.open(start.startSeconds(), start.toleratedSetBackSeconds());
    Cutoff cutoff = start.cutoff(journal.earlier().map(Checkpoint::origin));
    journal.logEarlier(cutoff);
    state.continuedFrom =
        journal.earlier().map(found -> Instant.ofEpochSecond(found.origin().startSeconds()));
    state.cutoff = cutoff;
    state.points.reach(Point.CUTOFF_FIXED);
    try (Stages stages = new Stages(state, calls, store, index, journal, start, cutoff);
        Marking marking = stages.marking(cutoff)) {
      Recorder recorder = stages.recorder();
      state.phase(
          "mark",
          () -> {
            state.log.info("Start GC phase1 (mark used chunks)");
            recorder.begin();
            CachedReferences references =
                new CachedReferences(
                    settings.cacheCapacity(), marking, recorder, stop, index::path);
            recorder.cache(references::stats);
            state.totals = index.mark(references);
            state.cacheStats = references.stats();
            state.points.reach(Point.INDEXES_READ);
            marking.finish();
            start.refuseClockSetBack();
            recorder.marked();
            state.points.reach(Point.MARKED);
          });
      state.phase(
          "sweep",
          () -> {
            if (!recorder.isSweepBegun()) { // else the run that began it has passed the guard
              guard.beforeSweep(marking, stages.workers(), cutoff);
            }
            state.log.info("Start GC phase2 (sweep unused chunks)");
            state.points.reach(Point.BEFORE_SWEEP);
            marking.sweep(cutoff);
            state.points.reach(Point.SWEPT);
            guard.afterSweep();
          });
    }
    conclude(state, calls, store);
    journal.discard();
    state.points.reach(Point.FINISHED);
  }

  private void conclude(RunState state, SystemCalls calls, ChunkStore store) {
    GcSummary.lines(state.status()).forEach(state.log::info);
    Leftovers.log(state, store);
    if (options.action() != Options.Action.DRY_RUN) {
      state.points.reach(Point.BEFORE_STATUS);
      StatusFile.write(calls, options.store(), state.status(), state.log);
    }
  }
}
