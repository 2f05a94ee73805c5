package io.tidemark.log;

import java.util.Locale;

/** What became of a chunk whose removal was announced in a removal log. */
public enum Fate {
  /** It was removed. */
  REMOVED,
  /** Somebody else had removed it before. */
  GONE,
  /** It stays: a backup had used it meanwhile. */
  TOUCHED,
  /** It stays: removing it failed. */
  FAILED,
  /** It stays: the run ended before its turn. */
  UNTRIED,
  /** Nobody knows: the run was cut off while it removed this chunk and its neighbours. */
  UNCONFIRMED;

  /** Returns the word that a removal log and its search use. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
