package io.tidemark.collect;

import java.util.Locale;

/** Names a way to carry out the mark; the result of a collection is the same for all of them. */
public enum Strategy {
  /** Touches each chunk when its reference is read, as PBS does. */
  IMMEDIATE,
  /** Reads all chunk directories first, then does the same. */
  PREFETCH,
  /** Collects references in a batch and touches its chunks directory by directory. */
  DEFERRED,
  /** Collects all references, walks the directories once, and touches in inode order. */
  ORDERED,
  /** Whichever is best here. */
  AUTO;

  /** Returns what {@link #AUTO} stands for, and every other strategy itself. */
  Strategy resolved() {
    return this == AUTO ? ORDERED : this;
  }

  /** Returns the name as the command line and the report spell it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
