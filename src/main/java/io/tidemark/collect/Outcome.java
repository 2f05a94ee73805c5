package io.tidemark.collect;

import java.util.Locale;

/** Says how a collection ended. */
public enum Outcome {
  /** Everything was done. */
  DONE,
  /** Everything was done, and there is something to look at. */
  WARNINGS,
  /** It was refused, or failed, before anything was removed. */
  REFUSED,
  /** It failed while it removed chunks. */
  FAILED,
  /** It was asked to stop. */
  STOPPED,
  /** Somebody else uses the store. */
  BUSY;

  /** Returns the name as the report spells it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean isSuccess() {
    return this == DONE || this == WARNINGS;
  }
}
