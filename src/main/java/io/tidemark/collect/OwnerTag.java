package io.tidemark.collect;

/** Packs into the number of an index file whether an interrupted run has not seen it. */
final class OwnerTag {
  /*
   * A reference in several index files keeps the smallest tag, so it counts as seen when any of
   * them was. Of the 27 bits that JoinTag has for an index file this is the highest.
   */
  private static final int FRESH = 1 << 26;

  private OwnerTag() {}

  static int fresh(int owner) {
    return owner | FRESH;
  }

  static boolean isFresh(int tag) {
    return (tag & FRESH) != 0;
  }

  static int number(int tag) {
    return tag & ~FRESH;
  }
}
