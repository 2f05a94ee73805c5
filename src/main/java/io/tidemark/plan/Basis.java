package io.tidemark.plan;

/** What the figures of a plan rest on. */
public enum Basis {
  /** All index files and all chunk directories were read. */
  EVERYTHING,
  /** All index files were read, and some chunk directories. */
  REFERENCES,
  /** Some chunk directories were read, and no index file to its end: what is in use is a guess. */
  ACCESS_TIMES
}
