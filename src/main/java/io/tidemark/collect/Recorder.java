package io.tidemark.collect;

import io.tidemark.journal.Checkpoint;
import io.tidemark.journal.MarkedIndex;
import io.tidemark.journal.MissingChunk;
import io.tidemark.journal.Origin;
import io.tidemark.journal.TouchClaim;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.GcStatus;
import io.tidemark.report.StoppedException;
import io.tidemark.store.ChunkStore;
import io.tidemark.sweep.Cutoff;
import io.tidemark.work.Workers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Notes in the journal how far a run has come, at boundaries where no worker is at work. */
final class Recorder {
  /*
   * A checkpoint costs a sync of the file system, so it waits for a twentieth of the time that the
   * run has taken, at least 15 seconds and at most five minutes, and for twenty times what the last
   * one took. So what is done twice after an interruption, and what the checkpoints cost, is about
   * a twentieth each.
   *
   * The order: no worker is at work -> the clock was not set back -> the number of the checkpoint
   * is on the store -> sync -> the journal is replaced. A mark in the order of inodes claims a
   * position, which holds for the references of all index files that the run has read; as long as
   * its own position is not yet beyond that of the run which it continues, the old journal stays.
   */
  private static final Duration LEAST = Duration.ofSeconds(15);
  private static final Duration MOST = Duration.ofMinutes(5);
  private static final int SHARE = 20;

  private final RunState state;
  private final RunJournal journal;
  private final SystemCalls calls;
  private final ChunkStore store;
  private final Workers<Hand> workers;
  private final Start start;
  private final Origin origin;
  private final Optional<Checkpoint> earlier;
  private final boolean byPosition;
  private final boolean sweepBegun;
  private final TouchClaim earlierTouches;
  private final int firstUnswept;
  private final IndexClaims claims = new IndexClaims();
  private final long begun;
  private Supplier<GcStatus.CacheStats> cache = () -> GcStatus.CacheStats.NONE;
  private Checkpoint.Phase phase = Checkpoint.Phase.MARK;
  private TouchClaim touched = TouchClaim.NONE;
  private int swept;
  private long sequence;
  private long last;
  private long lastCost;

  Recorder(
      RunState state,
      RunJournal journal,
      SystemCalls calls,
      ChunkStore store,
      Workers<Hand> workers,
      Start start,
      Cutoff cutoff) {
    this.state = state;
    this.journal = journal;
    this.calls = calls;
    this.store = store;
    this.workers = workers;
    this.start = start;
    this.origin = journal.origin(cutoff, start.startSeconds());
    this.earlier = journal.earlier();
    this.byPosition = state.options.strategy().resolved() == Strategy.ORDERED;
    this.sweepBegun = earlier.filter(found -> found.phase() == Checkpoint.Phase.SWEEP).isPresent();
    this.earlierTouches =
        sweepBegun ? TouchClaim.ALL : earlier.map(Checkpoint::touched).orElse(TouchClaim.NONE);
    this.firstUnswept = earlier.map(Checkpoint::swept).orElse(0);
    this.begun = state.environment.clock().monotonicNanos();
    this.last = begun;
    earlier.ifPresent(this::restore);
  }

  private void restore(Checkpoint found) {
    phase = found.phase();
    swept = found.swept();
    sequence = Math.max(found.sequence(), journal.lastSequence());
    claims.restore(found.indexes());
    Figures.restore(state, found.figures());
  }

  /** Takes over what was missing, and notes that the run has begun. */
  void begin() {
    if (earlier.isPresent()) {
      for (MissingChunk chunk : earlier.get().missing()) {
        state.missing().restore(chunk.digest(), chunk.index(), chunk.badFiles());
      }
    } else {
      note(() -> {});
    }
  }

  /** Returns how many touches there may be between two boundaries. */
  int step() {
    return journal.isKept() ? state.options.continuation().step() : Continuation.MOST_TOUCHES;
  }

  /** Returns {@code usual}, or {@code all} when there is nothing to note in between. */
  int step(int usual, int all) {
    return journal.isKept() ? Math.min(usual, all) : all;
  }

  IndexClaims claims() {
    return claims;
  }

  /** Names what counts the uses of the digest cache. */
  void cache(Supplier<GcStatus.CacheStats> stats) {
    cache = stats;
  }

  /** Returns what the cache had counted in the run that this one continues. */
  GcStatus.CacheStats earlierCache() {
    return byPosition || earlier.isEmpty()
        ? GcStatus.CacheStats.NONE
        : Figures.cache(earlier.get().figures());
  }

  /** Tells whether index files that are known need not be read. */
  boolean skipsIndexes() {
    return earlier.isPresent() && !byPosition;
  }

  /** Returns the tag of an index file's references. */
  int tag(int owner, IndexClaims.Entry entry) {
    return byPosition && earlier.isPresent() && !entry.wasComplete()
        ? OwnerTag.fresh(owner)
        : owner;
  }

  /** Tells whether the run continues one that had begun its sweep. */
  boolean isSweepBegun() {
    return sweepBegun;
  }

  /** Returns the number of the first directory that was not swept in the earlier run. */
  int firstUnswept() {
    return firstUnswept;
  }

  /** Returns which chunks of the earlier run's references were touched. */
  TouchClaim earlierTouches() {
    return earlierTouches;
  }

  /** Says that all references passed on have been touched. */
  void settled() {
    if (journal.isKept()) {
      claims.settle();
    }
    boundary();
  }

  /** Says that those in directories before {@code prefix} have been. */
  void settledBefore(int prefix) {
    if (journal.isKept()) {
      claims.settleBefore(prefix);
    }
    boundary();
  }

  /** Says which chunks have been touched, in the order of inodes. */
  void touched(TouchClaim claim) {
    touched = claim;
    boundary();
  }

  /** Says that every chunk that is required has been touched. */
  void marked() {
    claims.settle();
    phase = Checkpoint.Phase.SWEEP;
    touched = TouchClaim.ALL;
    note(this::sync);
  }

  /** Says that all directories before {@code prefix} have been swept. */
  void swept(int prefix) {
    swept = prefix;
    boundary();
  }

  /** Ends the run, asked to wind down, where it is. */
  void stop() {
    note(this::sync);
    throw new StoppedException();
  }

  private void boundary() {
    if (state.stop.isWindingDown()) {
      stop();
    }
    if (journal.isKept() && isDue()) {
      note(this::sync);
    }
  }

  private boolean isDue() {
    long now = state.environment.clock().monotonicNanos();
    Optional<Duration> every = state.options.continuation().every();
    if (every.isPresent()) {
      return now - last >= every.get().toNanos();
    }
    long wait = Math.clamp((now - begun) / SHARE, LEAST.toNanos(), MOST.toNanos());
    return now - last >= Math.max(wait, SHARE * lastCost);
  }

  private void note(Runnable durable) {
    if (!journal.isKept() || !isAhead()) {
      return;
    }
    if (phase == Checkpoint.Phase.MARK) {
      start.refuseClockSetBack();
    }
    long before = state.environment.clock().monotonicNanos();
    journal.note(checkpoint(), durable);
    last = state.environment.clock().monotonicNanos();
    lastCost = last - before;
  }

  /* A position is only worth noting when it is not behind the one that is noted already. */
  private boolean isAhead() {
    return !byPosition || touched.covers(earlierTouches);
  }

  private Checkpoint checkpoint() {
    sequence++;
    boolean walkAgain = byPosition && phase == Checkpoint.Phase.MARK;
    Map<String, Long> figures =
        walkAgain ? Figures.withoutWalk(state) : Figures.all(state, cache.get());
    List<MarkedIndex> indexes = byPosition ? claims.seen() : claims.all();
    return new Checkpoint(
        origin,
        sequence,
        start.nowSeconds(),
        phase,
        touched,
        swept,
        figures,
        indexes,
        walkAgain
            ? List.of()
            : state.missing().first(Figures.MISSING_KEPT).stream()
                .map(chunk -> new MissingChunk(chunk.digest(), chunk.index(), chunk.badFiles()))
                .toList());
  }

  /* In a worker, so that a request to stop need not wait for it; but workers begin nothing more. */
  private void sync() {
    if (state.stop.isWindingDown()) {
      check(calls);
    } else {
      workers.run("write-back", 1, (hand, unit) -> check(hand.calls()));
    }
  }

  private void check(SystemCalls own) {
    PosixException.check(
        own.syncfs(store.descriptor()), "cannot write the access times of", store.chunksPath());
  }
}
