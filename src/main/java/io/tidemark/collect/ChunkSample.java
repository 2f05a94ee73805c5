package io.tidemark.collect;

import io.tidemark.batch.Rows;
import io.tidemark.guard.Share;
import io.tidemark.store.ChunkStore;
import io.tidemark.store.EntryKind;
import io.tidemark.sweep.Cutoff;
import io.tidemark.work.Workers;
import java.util.BitSet;

/** Estimates, from some directories, what the cutoff lets go and what is in use. */
final class ChunkSample {
  /*
   * Digests are uniform, so a directory is a fair sample of the store, and in it so are the chunks
   * with the lowest digests. Directories are taken in a scattered order until 16,384 chunks have
   * been looked at, in 256 directories or more; a store of fewer chunks is looked at as a whole,
   * and then the shares are exact. The error follows from how the directories differ: those that
   * a sweep has already reached are not like the others.
   */
  private static final int CHUNKS = 16_384;
  private static final int ROUND = 256;
  private static final int CHUNKS_A_DIRECTORY = CHUNKS / ROUND;

  /* Odd, so that it visits each directory once. */
  private static final int SCATTER = 40503;

  private final RunState state;
  private final Workers<Hand> workers;
  private final BitSet present;
  private final Cutoff cutoff;
  private final Ratio going = new Ratio();
  private final Ratio inUse = new Ratio();
  private int visited;
  private long lookedAt;
  private boolean whole = true;

  ChunkSample(RunState state, Workers<Hand> workers, ChunkStore store, Cutoff cutoff) {
    this.state = state;
    this.workers = workers;
    this.present = store.directories();
    this.cutoff = cutoff;
  }

  void take() {
    int first = 0;
    while (first < FullSweep.DIRECTORIES && lookedAt < CHUNKS) {
      int from = first;
      workers.run("sample", ROUND, (hand, unit) -> look(hand, from + unit));
      first += ROUND;
    }
    for (int prefix = present.nextClearBit(0); prefix < FullSweep.DIRECTORIES; ) {
      state.listed.set(prefix, 0);
      prefix = present.nextClearBit(prefix + 1);
    }
  }

  private void look(Hand hand, int number) {
    state.stop.check();
    int prefix = number * SCATTER & (FullSweep.DIRECTORIES - 1);
    if (!present.get(prefix) || !hand.directory.open(prefix)) {
      return;
    }
    long foreign = hand.directory.foreign();
    hand.listByDigest();
    hand.foreignElsewhere += hand.directory.foreign() - foreign;
    Rows entries = hand.entries;
    int chunks = 0;
    int seen = 0;
    int old = 0;
    int used = 0;
    for (int row = 0; row < entries.size(); row++) {
      if (entries.tag(row) == EntryKind.CHUNK) {
        chunks++;
        if (seen < CHUNKS_A_DIRECTORY && isChunk(hand, row)) {
          seen++;
          Cutoff.Verdict verdict = cutoff.verdict(hand.directory.status().atimeSeconds());
          old += verdict == Cutoff.Verdict.REMOVE ? 1 : 0;
          used += verdict == Cutoff.Verdict.KEEP ? 1 : 0;
        }
      }
    }
    state.listed.set(prefix, entries.size());
    add(chunks, seen, old, used);
  }

  private static boolean isChunk(Hand hand, int row) {
    Rows entries = hand.entries;
    return hand.directory.stat(
                entries.word(row, 0),
                entries.word(row, 1),
                entries.word(row, 2),
                entries.word(row, 3),
                EntryKind.CHUNK)
            == 0
        && hand.directory.status().isRegular();
  }

  private synchronized void add(int chunks, int seen, int old, int used) {
    visited++;
    lookedAt += seen;
    whole &= chunks == seen;
    double scale = seen == 0 ? 0 : (double) chunks / seen;
    going.add(chunks, old * scale);
    inUse.add(chunks, used * scale);
  }

  /** Returns how many chunks the cutoff would let go. */
  Share going() {
    return share(going);
  }

  /** Returns how many chunks are in use. */
  Share inUse() {
    return share(inUse);
  }

  private synchronized Share share(Ratio ratio) {
    int directories = present.cardinality();
    double scale = visited == 0 ? 0 : (double) directories / visited;
    boolean counted = whole && visited == directories;
    return new Share(
        Math.round(ratio.part * scale),
        Math.round(ratio.total * scale),
        counted ? 0 : ratio.error(visited));
  }

  /** The sums of a ratio estimate, over directories. */
  private static final class Ratio {
    private double part;
    private double total;
    private double partSquares;
    private double products;
    private double totalSquares;

    void add(double of, double more) {
      part += more;
      total += of;
      partSquares += more * more;
      products += more * of;
      totalSquares += of * of;
    }

    double error(int directories) {
      if (total == 0 || directories < 2) {
        return 1;
      }
      double ratio = part / total;
      double squares = partSquares - 2 * ratio * products + ratio * ratio * totalSquares;
      double correction = directories / (directories - 1.0);
      return Math.sqrt(Math.max(0, squares) * correction) / total;
    }
  }
}
