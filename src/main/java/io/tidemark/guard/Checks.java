package io.tidemark.guard;

import java.util.Optional;

/** Judges the figures of a whole store. */
public final class Checks {
  /*
   * Small numbers prove nothing: on a store of four chunks three may well be garbage. So each wire
   * has a least number below which it does not trip.
   */
  /** So many chunks at least must be about to go. */
  public static final int FEWEST_REMOVALS = 100;

  /** So many index files at least must have been there. */
  public static final int FEWEST_INDEXES = 10;

  /** So many chunks at least must be missing. */
  public static final int FEWEST_MISSING = 10;

  private static final int MISSING_PERCENT = 1;

  private Checks() {}

  /** Judges what the sweep would remove. */
  public static Optional<Finding> removal(Share going, int maxPercent, String store) {
    if (going.least() < FEWEST_REMOVALS || !going.isAbove(maxPercent)) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            "too-much-to-remove",
            "%s of %s would go, and at most %d %% may".formatted(going, store, maxPercent),
            "--max-removal 100"));
  }

  /** Judges the number of index files, which was {@code before} at the last collection. */
  public static Optional<Finding> indexes(long before, long now, String store) {
    if (before < FEWEST_INDEXES || now * 2 >= before) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            "fewer-indexes",
            "%s has %d index files, and had %d at the last collection"
                .formatted(store, now, before),
            Wire.FEWER_INDEXES.option()));
  }

  /**
   * Judges the number of chunks that index files require and that do not exist.
   *
   * @param present how many of those required do exist
   */
  public static Optional<Finding> missing(long missing, long present, String store) {
    if (missing < FEWEST_MISSING || missing * 100 <= (missing + present) * MISSING_PERCENT) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            "many-missing",
            "%s of those that the index files of %s require do not exist"
                .formatted(Share.counted(missing, missing + present), store),
            Wire.MISSING.option()));
  }
}
