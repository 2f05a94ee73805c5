package io.tidemark.collect;

import io.tidemark.digest.HexDigest;
import io.tidemark.flush.Toucher;
import io.tidemark.posix.Errno;
import io.tidemark.sweep.Cutoff;

/** Touches each chunk as soon as its reference is read, and sweeps all directories. */
final class ImmediateMarking implements Marking {
  /* What PBS does, one system call a reference, but relative to .chunks instead of the root. */
  private final RunState state;
  private final Hand hand;
  private final Toucher toucher;
  private final FullSweep sweep;
  private final byte[] path = new byte[4 + 1 + HexDigest.LENGTH + 1];

  ImmediateMarking(RunState state, Hand hand, Toucher toucher, FullSweep sweep) {
    this.state = state;
    this.hand = hand;
    this.toucher = toucher;
    this.sweep = sweep;
    path[4] = '/';
  }

  @Override
  public void reference(long w0, long w1, long w2, long w3, int owner) {
    state.stop.check();
    int prefix = (int) (w0 >>> 48);
    HexDigest.writePrefix(path, prefix);
    HexDigest.write(path, 5, w0, w1, w2, w3);
    int result = hand.directory.touchByPath(path);
    if (result == 0) {
      state.touched.increment();
    } else if (result == -Errno.ENOENT) {
      hand.directory.open(prefix);
      toucher.touch(hand.directory, w0, w1, w2, w3, owner);
    } else {
      hand.directory.open(prefix);
      throw toucher.failure(hand.directory, w0, w1, w2, w3, owner, result);
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
