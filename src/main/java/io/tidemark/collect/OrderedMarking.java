package io.tidemark.collect;

import io.tidemark.batch.ExternalSort;
import io.tidemark.batch.Rows;
import io.tidemark.flush.Toucher;
import io.tidemark.journal.TouchClaim;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.ChunkHandles;
import io.tidemark.store.EntryKind;
import io.tidemark.sweep.Cutoff;
import io.tidemark.sweep.SweepCounts;
import io.tidemark.warm.AheadDistance;
import io.tidemark.warm.Rewarm;
import io.tidemark.warm.WarmAhead;
import io.tidemark.warm.WarmDirectories;
import io.tidemark.warm.Warmer;
import io.tidemark.work.Workers;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Collects all references first, then walks the directories once and touches in inode order. */
final class OrderedMarking implements Marking, JoinWalk.Visitor {
  /*
   * The references are sorted, in runs on disk when they exceed the memory, and joined with the
   * entries of each directory. An entry that is marked goes into the list of touches, one that is
   * not is a candidate for the sweep; a mark without an entry is touched by name at once, since the
   * chunk may be new. The touches are done window by window in the order of inode numbers, which
   * reads each block of inodes once and writes it once. The sweep then looks at the candidates
   * alone, so what it removes is both old and absent from the exact set of references.
   *
   * The workers only put rows into two buffers; the thread of the run moves them on between two
   * rounds, for the external sorts belong to it.
   */
  private final RunState state;
  private final Workers<Hand> workers;
  private final Toucher toucher;
  private final Window window;
  private final Optional<ChunkHandles> handles;
  private final ExternalSort references;
  private final TouchPass touchPass;
  private final CandidateSweep candidates;
  private final AheadDistance distance;
  private final WarmAhead ahead;
  private final Recorder recorder;
  private final Rows found = new Rows(5, Rows.maximumCapacity(5));
  private final Rows unused = new Rows(5, Rows.maximumCapacity(5));

  OrderedMarking(
      RunState state,
      Workers<Hand> workers,
      Toucher toucher,
      Window window,
      Optional<ChunkHandles> handles,
      Sorts sorts,
      Cutoff cutoff,
      WriteBack writeBack,
      Recorder recorder,
      Supplier<ChunkDirectory> directories) {
    this.state = state;
    this.workers = workers;
    this.toucher = toucher;
    this.window = window;
    this.handles = handles;
    this.references = sorts.references();
    this.recorder = recorder;
    this.candidates = new CandidateSweep(state, workers, sorts.candidates(), recorder);
    this.touchPass =
        new TouchPass(
            state,
            workers,
            toucher,
            handles,
            sorts.touches(),
            skipFrom(state.options, cutoff),
            writeBack,
            cutoff,
            candidates,
            recorder);
    this.distance = state.options.aheadDistance();
    this.ahead =
        new WarmAhead(
            directories,
            new Warmer(new WarmDirectories(Rewarm.ALWAYS), state.stop, state.log),
            distance);
  }

  private static long skipFrom(Options options, Cutoff cutoff) {
    return options
        .touchIfOlder()
        .map(margin -> cutoff.minimumAtimeSeconds() + margin.toSeconds())
        .orElse(TouchPass.NEVER);
  }

  @Override
  public void reference(long w0, long w1, long w2, long w3, int owner) {
    references.add(w0, w1, w2, w3, owner);
  }

  @Override
  public void finish() {
    recorder.claims().settle(); // from here on, positions say which references are done
    int marksARound =
        window.kind() == Window.Kind.CHUNKS
            ? Math.min(window.chunks(), JoinWalk.MARKS_A_ROUND)
            : JoinWalk.MARKS_A_ROUND;
    state.phase(
        "walk", () -> new JoinWalk(state, workers, marksARound, this).run(references.finish()));
    references.close();
    state.phase("touch", touchPass::finish);
  }

  @Override
  public boolean unlisted(Hand hand, long w0, long w1, long w2, long w3, int owner) {
    if (recorder.isSweepBegun() && !OwnerTag.isFresh(owner)) {
      return false; // it was touched, or found missing, in the run that this one continues
    }
    if (!toucher.touch(hand.directory, w0, w1, w2, w3, owner)) {
      return false;
    }
    state.touchedInWalk.increment();
    if (hand.directory.stat(w0, w1, w2, w3, EntryKind.CHUNK) == 0
        && hand.directory.status().isRegular()) {
      SweepCounts counts = new SweepCounts();
      counts.inUse(hand.directory.status().size());
      state.countedInWalk(counts);
    }
    return true;
  }

  @Override
  public boolean isDone(Hand hand, long inode, int owner) {
    return !OwnerTag.isFresh(owner)
        && recorder.earlierTouches().isDone(hand.directory.prefix(), inode);
  }

  @Override
  public int firstUnswept() {
    return recorder.firstUnswept();
  }

  @Override
  public void startRound(int first, int directories) {
    ahead.start(directories, index -> first + index);
  }

  @Override
  public void reach(Hand hand, int unit) {
    if (window.kind() == Window.Kind.DIRECTORY) {
      hand.readAhead = ahead.reach(unit) == WarmAhead.Reached.READ_AHEAD;
      hand.waitsBefore = hand.waits();
    }
  }

  @Override
  public void directory(Hand hand) {
    boolean byDirectory = window.kind() == Window.Kind.DIRECTORY;
    boolean inWindow = !byDirectory && !isElsewhere(hand);
    if (byDirectory) {
      touchDirectory(hand);
    } else if (!inWindow) {
      touchPass.touchOpenDirectory(hand);
    }
    Rows rows = hand.joined;
    int prefix = hand.directory.prefix();
    boolean swept = prefix < recorder.firstUnswept();
    synchronized (found) {
      for (int row = 0; row < rows.size(); row++) {
        if (swept && !TouchPass.isTouch(rows.tag(row))) {
          continue;
        }
        if (inWindow && touchPass.takes(rows, row, prefix)) {
          found.add(
              rows.word(row, 0),
              rows.word(row, 1),
              rows.word(row, 2),
              rows.word(row, 3),
              rows.word(row, 4),
              rows.tag(row));
        } else if (!TouchPass.isTouch(rows.tag(row))) {
          CandidateSweep.put(
              unused,
              prefix,
              rows.word(row, 0),
              rows.word(row, 1),
              rows.word(row, 2),
              rows.word(row, 3),
              rows.word(row, 4),
              JoinTag.kind(rows.tag(row)));
        }
      }
    }
  }

  private void touchDirectory(Hand hand) {
    long waits = hand.waits();
    if (!hand.readAhead && waits > hand.waitsBefore) {
      distance.waited();
    }
    touchPass.touchOpenDirectory(hand);
    if (hand.readAhead && WarmDirectories.isBlocked(hand.joined.size(), hand.waits() - waits)) {
      distance.blocked();
    }
  }

  /* Behind a link or a mount point, inode numbers are those of another file system. */
  private boolean isElsewhere(Hand hand) {
    return handles.isPresent()
        && (hand.directory.statDirectory() < 0
            || !hand.directory.status().device().equals(handles.get().device()));
  }

  @Override
  public void endRound(int end) {
    touchPass.add(found);
    found.clear();
    candidates.add(unused);
    unused.clear();
    if (window.kind() == Window.Kind.CHUNKS) {
      touchPass.flushWhenOver(window.chunks(), end);
    } else if (window.kind() == Window.Kind.DIRECTORY) {
      recorder.touched(new TouchClaim(end, end, 0));
    }
  }

  @Override
  public OptionalLong candidates() {
    return OptionalLong.of(candidates.count());
  }

  @Override
  public void sweep(Cutoff cutoff) {
    candidates.run(cutoff);
  }

  @Override
  public void close() {
    ahead.close();
    references.close();
    touchPass.close();
    candidates.close();
  }
}
