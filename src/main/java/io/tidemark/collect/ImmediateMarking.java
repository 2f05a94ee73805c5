package io.tidemark.collect;

import io.tidemark.flush.Toucher;
import io.tidemark.sweep.Cutoff;

/** Touches each chunk as soon as its reference is read, and sweeps all directories. */
final class ImmediateMarking implements Marking {
  /* What PBS does, one system call a reference, but relative to .chunks instead of the root. */
  private final RunState state;
  private final Hand hand;
  private final Toucher toucher;
  private final FullSweep sweep;

  ImmediateMarking(RunState state, Hand hand, Toucher toucher, FullSweep sweep) {
    this.state = state;
    this.hand = hand;
    this.toucher = toucher;
    this.sweep = sweep;
  }

  @Override
  public void reference(long w0, long w1, long w2, long w3, int owner) {
    state.stop.check();
    int result = hand.directory.touchByPath(hand.path.of(w0, w1, w2, w3));
    if (result == 0) {
      state.touched.increment();
    } else {
      // Where something is wrong, the slower way finds out what, and names it.
      hand.directory.open((int) (w0 >>> 48));
      toucher.touch(hand.directory, w0, w1, w2, w3, owner, result);
    }
  }

  @Override
  public void finish() {}

  @Override
  public void sweep(Cutoff cutoff) {
    sweep.run(cutoff);
  }

  @Override
  public void close() {
    hand.close();
  }
}
