package io.tidemark.collect;

import io.tidemark.batch.ExternalSort;
import io.tidemark.batch.Rows;
import io.tidemark.flush.Toucher;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.ChunkHandles;
import io.tidemark.store.EntryKind;
import io.tidemark.sweep.Cutoff;
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
      Supplier<ChunkDirectory> directories) {
    this.state = state;
    this.workers = workers;
    this.toucher = toucher;
    this.window = window;
    this.handles = handles;
    this.references = sorts.references();
    this.touchPass =
        new TouchPass(
            state, workers, toucher, handles, sorts.touches(), skipFrom(state.options, cutoff));
    this.distance = state.options.aheadDistance();
    this.ahead =
        new WarmAhead(
            directories,
            new Warmer(new WarmDirectories(Rewarm.ALWAYS), state.stop, state.log),
            distance);
    this.candidates = new CandidateSweep(state, workers, sorts.candidates());
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
    if (!toucher.touch(hand.directory, w0, w1, w2, w3, owner)) {
      return false;
    }
    if (hand.directory.stat(w0, w1, w2, w3, EntryKind.CHUNK) == 0
        && hand.directory.status().isRegular()) {
      state.inUse(hand.directory.status().size());
    }
    return true;
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
    Rows rows = hand.joined;
    if (window.kind() == Window.Kind.DIRECTORY) {
      touchDirectory(hand);
    } else if (isElsewhere(hand)) {
      touchPass.touchOpenDirectory(hand);
    } else {
      synchronized (found) {
        for (int row = 0; row < rows.size(); row++) {
          if (TouchPass.isTouch(rows.tag(row))) {
            found.add(
                rows.word(row, 0),
                rows.word(row, 1),
                rows.word(row, 2),
                rows.word(row, 3),
                rows.word(row, 4),
                JoinTag.owner(rows.tag(row)));
          }
        }
      }
    }
    long prefix = (long) hand.directory.prefix() << 48;
    synchronized (unused) {
      for (int row = 0; row < rows.size(); row++) {
        if (!TouchPass.isTouch(rows.tag(row))) {
          unused.add(
              prefix | (rows.word(row, 0) & CandidateSweep.INODE_MASK),
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
  public void endRound() {
    touchPass.add(found);
    found.clear();
    candidates.add(unused);
    unused.clear();
    if (window.kind() == Window.Kind.CHUNKS) {
      touchPass.flushWhenOver(window.chunks());
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
