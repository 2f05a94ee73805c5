package io.tidemark.guard;

import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a run is told about its tripwires.
 *
 * @param maxRemovalPercent the largest share of the chunks that may go, 0 to 100; empty: {@link
 *     #LATER_PERCENT}, or {@link #FIRST_PERCENT} when no collection has been before
 * @param off those that the run does without
 */
public record Tripwires(OptionalInt maxRemovalPercent, Set<Wire> off) {
  public static final int FIRST_PERCENT = 90;
  public static final int LATER_PERCENT = 50;

  /** All of them, as they are. */
  public static final Tripwires STANDARD = new Tripwires(OptionalInt.empty(), Set.of());

  public Tripwires {
    off = Set.copyOf(off);
    int percent = maxRemovalPercent.orElse(0);
    if (percent < 0 || percent > 100) {
      throw new IllegalArgumentException(
          "the largest removal is " + percent + " percent; it must be 0 to 100");
    }
  }

  /** Returns the same with another largest share. */
  public Tripwires withMaxRemoval(int percent) {
    return new Tripwires(OptionalInt.of(percent), off);
  }

  /** Returns the same without {@code wire}. */
  public Tripwires without(Wire wire) {
    Set<Wire> more = EnumSet.of(wire);
    more.addAll(off);
    return new Tripwires(maxRemovalPercent, more);
  }

  public boolean has(Wire wire) {
    return !off.contains(wire);
  }
}
