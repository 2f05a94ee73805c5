package io.tidemark.store;

/** What a run may do to a datastore. */
public enum Access {
  WRITE,
  /** For a dry run, which also works on stores that cannot be written to or locked. */
  READ_ONLY
}
