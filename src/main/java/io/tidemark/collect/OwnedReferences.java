package io.tidemark.collect;

import io.tidemark.batch.RowStream;
import io.tidemark.plan.SharedSizes;
import java.util.BitSet;

/** Gives each chunk once that a snapshot of concern requires, with the set of all who do. */
final class OwnedReferences implements RowStream {
  /*
   * Of rows that are a digest and the number of an owner, ascending: the rows of one digest come
   * together. The tag is the number of the set, marked as fresh, so that the walk keeps it.
   */
  private final RowStream rows;
  private final SharedSizes sizes;
  private final BitSet owners = new BitSet();
  private boolean more;
  private long w0;
  private long w1;
  private long w2;
  private long w3;

  OwnedReferences(RowStream rows, SharedSizes sizes) {
    this.rows = rows;
    this.sizes = sizes;
    this.more = rows.next();
  }

  @Override
  public boolean next() {
    while (more) {
      w0 = rows.word(0);
      w1 = rows.word(1);
      w2 = rows.word(2);
      w3 = rows.word(3);
      owners.clear();
      while (more
          && rows.word(0) == w0
          && rows.word(1) == w1
          && rows.word(2) == w2
          && rows.word(3) == w3) {
        owners.set((int) rows.word(4));
        more = rows.next();
      }
      if (owners.nextSetBit(PrunedNames.OTHERS + 1) >= 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long word(int column) {
    return switch (column) {
      case 0 -> w0;
      case 1 -> w1;
      case 2 -> w2;
      default -> w3;
    };
  }

  @Override
  public int tag() {
    return OwnerTag.fresh(sizes.set(owners));
  }
}
