package io.tidemark.sweep;

/** Says how a chunk that nobody needs is taken away. */
public enum Removal {
  /** Not at all: it is counted as removed. */
  PRETEND,
  /** Set aside, looked at once more, then unlinked: backups may be running. */
  SET_ASIDE,
  /** Looked at once more and unlinked: nobody else uses the store. */
  DIRECT
}
