package io.tidemark.collect;

import io.tidemark.flush.Toucher;
import io.tidemark.sweep.Cutoff;

/** Touches each chunk as soon as its reference is read, and sweeps all directories. */
final class ImmediateMarking implements Marking {
  /* What PBS does, one system call a reference, but relative to .chunks instead of the root. */
  private final RunState state;
  private final Hand hand;
  private final Toucher toucher;
  private static final int BETWEEN_BOUNDARIES = 64;

  private final FullSweep sweep;
  private final Recorder recorder;
  private int sinceBoundary;

  ImmediateMarking(RunState state, Hand hand, Toucher toucher, FullSweep sweep, Recorder recorder) {
    this.state = state;
    this.hand = hand;
    this.toucher = toucher;
    this.sweep = sweep;
    this.recorder = recorder;
  }

  @Override
  public void reference(long w0, long w1, long w2, long w3, int owner) {
    state.stop.check();
    if (++sinceBoundary >= Math.min(BETWEEN_BOUNDARIES, recorder.step())) {
      sinceBoundary = 0;
      recorder.settled();
    }
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
  public void finish() {
    recorder.settled();
  }

  @Override
  public void pause() {
    recorder.claims().settle();
  }

  @Override
  public void sweep(Cutoff cutoff) {
    sweep.run(cutoff);
  }

  @Override
  public void close() {
    hand.close();
  }
}
