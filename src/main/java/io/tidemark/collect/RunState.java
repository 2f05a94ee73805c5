package io.tidemark.collect;

import io.tidemark.flush.MissingChunks;
import io.tidemark.guard.DirectoryCounts;
import io.tidemark.index.IndexFiles;
import io.tidemark.index.IndexTotals;
import io.tidemark.log.RemovalLog;
import io.tidemark.report.DirectoryMap;
import io.tidemark.report.GcStatus;
import io.tidemark.report.Points;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import io.tidemark.sweep.Cutoff;
import io.tidemark.sweep.RemovalFailures;
import io.tidemark.sweep.SweepCounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What one run has found out so far: the source of its report, whenever it ends. */
final class RunState {
  final Options options;
  final Environment environment;
  final StopToken stop;
  final int chunkDirectories;
  final RunLog log;
  final RemovalFailures removals;
  final SweepCounts counts = new SweepCounts();
  final DirectoryMap map = new DirectoryMap();
  final LongAdder touched = new LongAdder();
  final LongAdder skipped = new LongAdder();
  final LongAdder touchedInWalk = new LongAdder();
  private final SweepCounts walkCounts = new SweepCounts();
  final LongAdder chunks = new LongAdder();
  final AtomicInteger directories = new AtomicInteger();
  final LongAdder foreign = new LongAdder();
  final DirectoryCounts listed = new DirectoryCounts();
  private final List<Report.Phase> phases = new ArrayList<>();
  private final Instant started = Instant.now();
  private final long startedNanos;

  volatile Points points;
  volatile Optional<RemovalLog> removalLog = Optional.empty();
  volatile @Nullable IndexFiles index;
  volatile String phase = "start";
  @Nullable IndexTotals totals;
  @Nullable MissingChunks missing;
  @Nullable Cutoff cutoff;
  Optional<Instant> continuedFrom = Optional.empty();
  GcStatus.CacheStats cacheStats = GcStatus.CacheStats.NONE;
  long flushes;
  long directoriesWarmed;
  long directoriesAlreadyWarm;

  RunState(Options options, Environment environment, StopToken stop, int chunkDirectories) {
    this(options, environment, stop, chunkDirectories, new RunLog());
  }

  RunState(
      Options options, Environment environment, StopToken stop, int chunkDirectories, RunLog log) {
    this.log = log;
    this.removals = new RemovalFailures(log);
    this.chunkDirectories = chunkDirectories;
    this.options = options;
    this.environment = environment;
    this.stop = stop;
    this.points = environment.points();
    this.startedNanos = environment.clock().monotonicNanos();
  }

  /** Runs a phase and notes how long it took, also when it fails. */
  void phase(String name, Runnable work) {
    phase = name;
    long start = environment.clock().monotonicNanos();
    try {
      work.run();
    } finally {
      double seconds = (environment.clock().monotonicNanos() - start) / 1e9;
      phases.add(new Report.Phase(name, Math.round(seconds * 1e6) / 1e6));
    }
  }

  /** Adds what one thread has swept. */
  synchronized void swept(SweepCounts more) {
    counts.add(more);
  }

  /** Adds what one thread has swept in a directory. */
  void swept(int prefix, SweepCounts more) {
    map.removed(prefix, more.removedChunks + more.removedBad);
    swept(more);
  }

  /** Adds what one thread has counted, and a run that continues this one would count again. */
  synchronized void countedInWalk(SweepCounts more) {
    counts.add(more);
    walkCounts.add(more);
  }

  synchronized SweepCounts walkCounts() {
    return walkCounts;
  }

  /** Returns a copy of all that was counted. */
  synchronized SweepCounts countsSoFar() {
    SweepCounts copy = new SweepCounts();
    copy.add(counts);
    return copy;
  }

  MissingChunks missing() {
    MissingChunks absent = missing;
    if (absent == null) {
      throw new IllegalStateException("the mark has not begun");
    }
    return absent;
  }

  /** Tells whether the run has taken as long as it may. */
  boolean isOverTime() {
    long taken = environment.clock().monotonicNanos() - startedNanos;
    return options
        .continuation()
        .longest()
        .filter(longest -> taken >= longest.toNanos())
        .isPresent();
  }

  /** Counts one chunk in use. */
  synchronized void inUse(long size) {
    counts.inUse(size);
  }

  Progress progress() {
    IndexFiles files = index;
    return new Progress(
        phase,
        files == null ? 0 : files.progress().filesDone(),
        files == null ? 0 : files.progress().filesTotal(),
        files == null ? 0 : files.progress().references(),
        touched.sum(),
        directories.get(),
        chunks.sum());
  }

  GcStatus status() {
    IndexTotals read = totals;
    return new GcStatus(
        read == null ? 0 : read.files(),
        read == null ? 0 : read.bytes(),
        counts.diskBytes,
        counts.diskChunks,
        counts.removedBytes,
        counts.removedChunks,
        counts.pendingBytes,
        counts.pendingChunks,
        counts.removedBad,
        counts.stillBad,
        cacheStats);
  }

  Report report(Outcome outcome, Optional<String> error) {
    Progress reached = progress();
    MissingChunks absent = missing;
    Cutoff fixed = cutoff;
    return new Report(
        outcome,
        error,
        status(),
        options.strategy().resolved(),
        options.batchSize(),
        started,
        Instant.now(),
        continuedFrom,
        fixed == null
            ? Optional.empty()
            : Optional.of(Instant.ofEpochSecond(fixed.minimumAtimeSeconds())),
        reached.references(),
        touched.sum(),
        skipped.sum(),
        absent == null ? 0 : absent.count(),
        absent == null ? List.of() : absent.list(),
        flushes,
        directoriesWarmed,
        directoriesAlreadyWarm,
        foreign.sum(),
        counts.gone,
        counts.failed,
        List.copyOf(phases),
        log.warningCounts().values().stream().mapToLong(Long::longValue).sum(),
        log.warnings(),
        map);
  }
}
