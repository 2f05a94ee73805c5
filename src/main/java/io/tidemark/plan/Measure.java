package io.tidemark.plan;

/** What chunks are counted as. */
public enum Measure {
  /** Every chunk. */
  PRESENT,
  /** Used before the cutoff: a collection removes no other. */
  OLD,
  /** Used before the cutoff, and not since the last collection began to mark. */
  UNMARKED,
  /** Not used since the last collection began to mark, and too young to go. */
  UNMARKED_YOUNG,
  /** Required by no index file, and old: a collection removes it. */
  FREED,
  /** Required by no index file, and too young to go. */
  PENDING
}
