package io.tidemark.journal;

import java.time.Instant;
import java.util.Optional;

/**
 * Decides whether a journal still tells the truth of a datastore.
 *
 * @param store the path of the datastore
 * @param chunksInode the inode number of its directory {@code .chunks}
 * @param strategy how the mark is to be carried out
 * @param startSeconds now, by the file system's clock
 * @param setBackSeconds by how much that clock may have been set back
 */
public record JournalCheck(
    String store, long chunksInode, String strategy, long startSeconds, long setBackSeconds) {
  /*
   * Age by itself makes nothing wrong, since an older cutoff removes less. But what may have been
   * done to a store that nobody has collected for so long is anyone's guess.
   */
  static final long OLDEST_SECONDS = 14 * 86_400;

  /** Returns why the journal cannot be used; empty when it can. */
  public Optional<String> refusal(Checkpoint checkpoint, Optional<StoreMark.Content> mark) {
    Origin origin = checkpoint.origin();
    long age = startSeconds - checkpoint.notedSeconds();
    if (!origin.store().equals(store) || origin.chunksInode() != chunksInode) {
      return Optional.of("it is that of another datastore, " + origin.store());
    }
    if (mark.isEmpty() || !mark.get().run().equals(origin.run())) {
      return Optional.of(
          "the datastore does not bear its mark: it was restored or rolled back, or another run"
              + " has come between");
    }
    if (mark.get().sequence() < checkpoint.sequence()) {
      return Optional.of("the datastore was rolled back to a state before it");
    }
    if (age < -setBackSeconds) {
      return Optional.of(
          "the clock was set back: it was noted at "
              + Instant.ofEpochSecond(checkpoint.notedSeconds()));
    }
    if (age > OLDEST_SECONDS) {
      return Optional.of("it is too old, of " + Instant.ofEpochSecond(checkpoint.notedSeconds()));
    }
    if (!origin.strategy().equals(strategy)) {
      return Optional.of(
          "it is that of a run with the strategy %s, not %s"
              .formatted(origin.strategy(), strategy));
    }
    return Optional.empty();
  }
}
