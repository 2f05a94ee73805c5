package io.tidemark.collect;

import io.tidemark.flush.MissingChunks;
import io.tidemark.guard.Checks;
import io.tidemark.guard.Evenness;
import io.tidemark.guard.Finding;
import io.tidemark.guard.Share;
import io.tidemark.guard.Tripwires;
import io.tidemark.guard.Wire;
import io.tidemark.store.ChunkStore;
import io.tidemark.store.RefusedException;
import io.tidemark.store.StatusFile;
import io.tidemark.sweep.Cutoff;
import io.tidemark.work.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Ends a run before its first removal when the store is not what it was; the tripwires. */
final class Guard {
  /*
   * What is known differs. A walk over all directories has counted the candidates: when even they
   * are few enough, no chunk is looked at. Else, and with the strategies that sweep by access time
   * alone, a sample tells what is old enough. A dry run knows everything at its end, and warns.
   */
  private final RunState state;
  private final ChunkStore store;
  private final StatusFile.Previous previous;
  private final boolean dry;

  Guard(RunState state, ChunkStore store) {
    this.state = state;
    this.store = store;
    this.previous = StatusFile.read(store.base(), state.log);
    this.dry = state.options.action() == Options.Action.DRY_RUN;
  }

  private Tripwires wires() {
    return state.options.tripwires();
  }

  private int maxPercent() {
    return wires()
        .maxRemovalPercent()
        .orElse(previous.exists() ? Tripwires.LATER_PERCENT : Tripwires.FIRST_PERCENT);
  }

  /* Who says that all old chunks may go expects it of a store without index files. */
  private boolean isMeantToBeEmpty(long indexFiles) {
    return indexFiles == 0 && state.options.emptyIndexSet() == Options.EmptyIndexSet.ALLOW;
  }

  /** Compares the number of index files with that of the last collection. */
  void look(long indexFiles) {
    if (wires().has(Wire.FEWER_INDEXES)
        && !isMeantToBeEmpty(indexFiles)
        && previous.indexFiles().isPresent()) {
      act(
          Checks.indexes(previous.indexFiles().getAsLong(), indexFiles, store.base()).stream()
              .toList());
    }
  }

  /** Judges what the mark has found, and what the sweep would remove. */
  void beforeSweep(Marking marking, Workers<Hand> workers, Cutoff cutoff) {
    if (dry || isMeantToBeEmpty(state.status().indexFileCount())) {
      return;
    }
    OptionalLong candidates = marking.candidates();
    boolean known = candidates.isPresent();
    Share going = Share.counted(candidates.orElse(0), state.chunks.sum());
    long inUse = state.touched.sum() + state.skipped.sum();
    if (state.options.action() == Options.Action.EMERGENCY) {
      inUse = state.counts.diskChunks; // and the candidates are just what goes
    } else if (known ? !removal(going).isEmpty() : isSampleWanted()) {
      ChunkSample sample = new ChunkSample(state, workers, store, cutoff);
      sample.take();
      going = sample.going();
      inUse = known ? inUse : Math.min(inUse, sample.inUse().part());
    }
    judge(going, inUse);
  }

  private boolean isSampleWanted() {
    return maxPercent() < 100
        || (wires().has(Wire.MISSING) && missing().count() >= Checks.FEWEST_MISSING);
  }

  /** Judges what a dry run has found. */
  void afterSweep() {
    if (dry && !isMeantToBeEmpty(state.status().indexFileCount())) {
      long gone = state.counts.removedChunks;
      long kept = state.counts.diskChunks + state.counts.pendingChunks;
      judge(Share.counted(gone, gone + kept), state.counts.diskChunks);
    }
  }

  private void judge(Share going, long inUse) {
    List<Finding> findings = new ArrayList<>(removal(going));
    if (wires().has(Wire.MISSING)) {
      Checks.missing(missing().count(), inUse, store.base()).ifPresent(findings::add);
    }
    if (wires().has(Wire.UNEVEN)) {
      new Evenness(state.listed, missing()::countIn, store.chunksPath())
          .check()
          .ifPresent(findings::add);
    }
    act(findings);
  }

  private List<Finding> removal(Share going) {
    return Checks.removal(going, maxPercent(), store.base()).stream().toList();
  }

  private MissingChunks missing() {
    MissingChunks found = state.missing;
    if (found == null) {
      throw new IllegalStateException("nothing has been marked");
    }
    return found;
  }

  private void act(List<Finding> findings) {
    if (dry) {
      for (Finding finding : findings) {
        state.log.warn(
            finding.id(),
            "warning: %s: a collection would be refused, unless %s says that it is meant"
                .formatted(finding.saw(), finding.override()),
            store.base());
      }
    } else if (!findings.isEmpty()) {
      throw new RefusedException(
          "%s; nothing was removed; find out why first (a dry run shows more), or say with %s that"
                  .formatted(
                      findings.stream().map(Finding::saw).collect(Collectors.joining("; ")),
                      findings.stream().map(Finding::override).collect(Collectors.joining(" ")))
              + " it is meant");
    }
  }
}
