package io.tidemark.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up chunks by who requires them, and tells what one or several of these have alone. */
public final class SharedSizes {
  /*
   * Those who require chunks are numbered: 0 is everybody of no concern, the others are snapshots.
   * Chunks that the same ones require are added up together, so that memory grows with the number
   * of such sets, not of chunks: snapshots in a row share runs of generations, so n of them have
   * about n^2 / 2 sets.
   */
  private final Map<BitSet, Integer> numbers = new HashMap<>();
  private final List<Together> sets = new ArrayList<>();

  /** The chunks that the same ones require. */
  private static final class Together {
    private final BitSet owners;
    private long chunks;
    private long bytes;
    private long missing;
    private long oldChunks;
    private long oldBytes;
    private long youngest = Long.MIN_VALUE;

    private Together(BitSet owners) {
      this.owners = owners;
    }
  }

  /**
   * A number of chunks.
   *
   * @param chunks how many
   * @param bytes their sizes together
   */
  public record Amount(long chunks, long bytes) {}

  /**
   * What one or several snapshots require.
   *
   * @param total all of it
   * @param unique what nobody else requires
   * @param uniqueOld what of that is old enough to go at once
   * @param missing how many chunks do not exist, which are not in the total
   * @param youngest when the unique ones were used last, in seconds since 1970; {@code
   *     Long.MIN_VALUE} when there are none
   */
  public record Usage(Amount total, Amount unique, Amount uniqueOld, long missing, long youngest) {
    /** Returns what others require as well. */
    public Amount shared() {
      return new Amount(total.chunks() - unique.chunks(), total.bytes() - unique.bytes());
    }
  }

  /** Returns the number of a set of owners; a new set is copied. */
  public synchronized int set(BitSet owners) {
    Integer known = numbers.get(owners);
    if (known != null) {
      return known;
    }
    BitSet copy = (BitSet) owners.clone();
    numbers.put(copy, sets.size());
    sets.add(new Together(copy));
    return sets.size() - 1;
  }

  /** Adds a chunk that is too young to go, used last at {@code atimeSeconds}. */
  public synchronized void addYoung(int set, long size, long atimeSeconds) {
    add(sets.get(set), size, atimeSeconds);
  }

  /** Adds a chunk that would go at once, used last at {@code atimeSeconds}. */
  public synchronized void addOld(int set, long size, long atimeSeconds) {
    Together together = sets.get(set);
    add(together, size, atimeSeconds);
    together.oldChunks++;
    together.oldBytes += size;
  }

  private static void add(Together together, long size, long atimeSeconds) {
    together.chunks++;
    together.bytes += size;
    together.youngest = Math.max(together.youngest, atimeSeconds);
  }

  /** Adds a chunk that does not exist. */
  public synchronized void addMissing(int set) {
    sets.get(set).missing++;
  }

  /** Returns what {@code members} require together. */
  public synchronized Usage of(BitSet members) {
    Together total = new Together(members);
    Together unique = new Together(members);
    for (Together together : sets) {
      if (together.owners.intersects(members)) {
        addAll(total, together);
        BitSet others = (BitSet) together.owners.clone();
        others.andNot(members);
        if (others.isEmpty()) {
          addAll(unique, together);
        }
      }
    }
    return new Usage(
        new Amount(total.chunks, total.bytes),
        new Amount(unique.chunks, unique.bytes),
        new Amount(unique.oldChunks, unique.oldBytes),
        total.missing,
        unique.youngest);
  }

  private static void addAll(Together sum, Together more) {
    sum.chunks += more.chunks;
    sum.bytes += more.bytes;
    sum.missing += more.missing;
    sum.oldChunks += more.oldChunks;
    sum.oldBytes += more.oldBytes;
    sum.youngest = Math.max(sum.youngest, more.youngest);
  }
}
