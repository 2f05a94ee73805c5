package io.tidemark.collect;

import io.tidemark.sweep.Cutoff;
import java.util.OptionalLong;

/** Takes all references of a store, makes sure that their chunks stay, and removes the others. */
interface Marking extends AutoCloseable {
  /**
   * Takes a reference.
   *
   * @param owner the number of the index file that it is in
   */
  void reference(long w0, long w1, long w2, long w3, int owner);

  /** Touches what has not been touched yet; after this, nothing is marked any more. */
  void finish();

  /** Settles what can be settled at once, since the run is asked to wind down. */
  default void pause() {}

  /** Returns how many files the sweep could remove at most, where that is known before. */
  default OptionalLong candidates() {
    return OptionalLong.empty();
  }

  /** Removes what the cutoff lets go, and counts everything. */
  void sweep(Cutoff cutoff);

  @Override
  void close();
}
