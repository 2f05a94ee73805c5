package io.tidemark.collect;

/** Packs what is known of a joined entry into the tag of its row. */
final class JoinTag {
  /* Four bits of kind, one that says whether the entry is in use, 27 bits of index file. */
  private static final int KIND_BITS = 4;
  private static final int USED = 1 << KIND_BITS;

  private JoinTag() {}

  static int unused(int kind) {
    return kind;
  }

  static int used(int kind, int owner) {
    return owner << (KIND_BITS + 1) | USED | kind;
  }

  static int kind(int tag) {
    return tag & (USED - 1);
  }

  static boolean isUsed(int tag) {
    return (tag & USED) != 0;
  }

  static int owner(int tag) {
    return tag >>> (KIND_BITS + 1);
  }
}
