package io.tidemark.guard;

import io.tidemark.digest.HexDigest;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/** Finds chunk directories that have lost their chunks. */
public final class Evenness {
  /*
   * Digests are uniform, so the chunks of a directory follow a Poisson distribution around the mean
   * m, and so do the missing ones when they are lost one by one. There are two signs of a lost
   * directory:
   *
   * - It is absent, empty or nearly so: fewer than m / 10 entries where m is 100 or more. By chance
   *   not even m - 8 sqrt(m) is ever met; but a sweep that was broken off leaves the directories
   *   that it has reached with the used chunks alone, and those must not look lost.
   * - Missing chunks gather in it: 50 or more, and beyond their own mean by 8 of its roots. A
   *   directory that lost half of its entries shows so, with any strategy.
   *
   * Test stores use a power of two of the directories, evenly spaced: the stride is the largest
   * step whose multiples hold 99 of 100 entries. Where less than three quarters of those
   * directories have entries, nothing is to be expected of one; losing so many is seen by the
   * missing chunks.
   */
  private static final int FEWEST_EXPECTED = 100;
  private static final int FEWEST_DIRECTORIES = 16;
  private static final int FEWEST_MISSING = 50;
  private static final double DEVIATIONS = 8;

  private final DirectoryCounts counts;
  private final IntUnaryOperator missing;
  private final String chunksPath;

  /**
   * Makes a judge.
   *
   * @param missing gives the number of missing chunks of a directory
   */
  public Evenness(DirectoryCounts counts, IntUnaryOperator missing, String chunksPath) {
    this.counts = counts;
    this.missing = missing;
    this.chunksPath = chunksPath;
  }

  /** Judges all directories. */
  public Optional<Finding> check() {
    int stride = stride();
    int used = 0;
    int known = 0;
    long entries = 0;
    long absent = 0;
    for (int prefix = 0; prefix < DirectoryCounts.DIRECTORIES; prefix += stride) {
      known += counts.isKnown(prefix) ? 1 : 0;
      used += counts.get(prefix) > 0 ? 1 : 0;
      entries += Math.max(0, counts.get(prefix));
      absent += missing.applyAsInt(prefix);
    }
    double expected = used == 0 ? 0 : (double) entries / used;
    boolean even = known >= FEWEST_DIRECTORIES && used >= known * 0.75;
    double missed = (double) absent * stride / DirectoryCounts.DIRECTORIES;
    double mostMissing = Math.max(FEWEST_MISSING, missed + DEVIATIONS * Math.sqrt(missed));
    int lost = 0;
    int first = 0;
    for (int prefix = 0; prefix < DirectoryCounts.DIRECTORIES; prefix++) {
      boolean empty =
          even
              && prefix % stride == 0
              && expected >= FEWEST_EXPECTED
              && counts.isKnown(prefix)
              && counts.get(prefix) < expected / 10;
      if (empty || missing.applyAsInt(prefix) >= mostMissing) {
        first = lost == 0 ? prefix : first;
        lost++;
      }
    }
    return lost == 0 ? Optional.empty() : Optional.of(finding(first, lost, expected));
  }

  private int stride() {
    long[] multiples = new long[17];
    long total = 0;
    for (int prefix = 0; prefix < DirectoryCounts.DIRECTORIES; prefix++) {
      int entries = Math.max(0, counts.get(prefix));
      multiples[Math.min(16, Integer.numberOfTrailingZeros(prefix))] += entries;
      total += entries;
    }
    int zeros = 16;
    long held = multiples[zeros];
    while (zeros > 0 && held < total * 0.99) {
      zeros--;
      held += multiples[zeros];
    }
    return total == 0 ? 1 : 1 << zeros;
  }

  private Finding finding(int prefix, int lost, double expected) {
    int absent = missing.applyAsInt(prefix);
    StringBuilder saw = new StringBuilder("chunk directory " + chunksPath + "/");
    saw.append(HexDigest.formatPrefix(prefix)).append(" has lost chunks:");
    if (counts.isKnown(prefix)) {
      saw.append(" it holds %d where about %.0f are usual".formatted(counts.get(prefix), expected));
    }
    if (absent > 0) {
      saw.append(counts.isKnown(prefix) ? ", and" : "");
      saw.append(" %d that are required of it do not exist".formatted(absent));
    }
    if (lost > 1) {
      saw.append("; so have %d more".formatted(lost - 1));
    }
    return new Finding("lost-directory", saw.toString(), Wire.UNEVEN.option());
  }
}
