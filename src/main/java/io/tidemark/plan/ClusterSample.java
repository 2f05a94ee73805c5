package io.tidemark.plan;

import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/** Infers from some directories how much of a kind a whole store has, with 95 % confidence. */
public final class ClusterSample {
  /*
   * Digests are uniform, so any directories are a fair sample; but the chunks of one directory need
   * not be like those of another (a sweep may have reached only some), so the unit of the sample is
   * the directory, and the error follows from how directories differ (Cochran, Sampling Techniques,
   * 1977, sections 6.3 and 9.2). With n of N directories, x_i chunks in directory i, y_i of the
   * kind, and t the 97.5 % point of Student's t for n - 1 degrees of freedom:
   *
   *   share   r = sum y / sum x,   error t sqrt((1-f) n/(n-1) sum (y - r x)^2) / sum x
   *   total   N mean(y),           error t N sqrt((1-f) variance(y) / n)
   *
   * When only some chunks of a directory are looked at, y_i is scaled up, which adds their variance
   * to that between directories; f = n/N then counts as 0, which is on the safe side, else all
   * directories give an exact figure.
   *
   * A rare kind has a skewed distribution, and one of which the sample has none would have no
   * error at all. So the interval is also at least that of Wilson for independent chunks.
   */
  private static final double CONFIDENT = 0.975;
  private static final double Z = NormalDistribution.of(0, 1).inverseCumulativeProbability(0.975);

  private final int directories;
  private int visited;
  private double looked;
  private double lookedOfKind;
  private boolean whole = true;
  private double x;
  private double y;
  private double xx;
  private double xy;
  private double yy;

  /**
   * @param directories how many the store has
   */
  public ClusterSample(int directories) {
    this.directories = directories;
  }

  /**
   * Adds a directory.
   *
   * @param chunks how many it has
   * @param lookedAt how many of these were looked at
   * @param ofKind how many of those are of the kind
   */
  public void add(long chunks, long lookedAt, long ofKind) {
    lookedOfKind += ofKind;
    addAmount(chunks, lookedAt, (double) ofKind);
  }

  /** Adds a directory in which the chunks of the kind that were looked at have {@code amount}. */
  void addAmount(long chunks, long lookedAt, double amount) {
    visited++;
    looked += lookedAt;
    whole &= chunks == lookedAt;
    double scaled = lookedAt == 0 ? 0 : amount * chunks / lookedAt;
    x += chunks;
    y += scaled;
    xx += (double) chunks * chunks;
    xy += chunks * scaled;
    yy += scaled * scaled;
  }

  /** Returns how many directories were added. */
  public int visited() {
    return visited;
  }

  /** Tells whether nothing was left out, so that the figures have no error. */
  public boolean isWhole() {
    return whole && visited == directories;
  }

  /** Returns the part of all chunks that is of the kind, from 0 to 1. */
  public Interval share() {
    if (x == 0) {
      return isWhole() ? Interval.ZERO : new Interval(0, 0, 1);
    }
    double r = y / x;
    if (isWhole()) {
      return Interval.exactly(r);
    }
    if (visited < 2) {
      return new Interval(0, r, 1);
    }
    double squares = Math.max(0, yy - 2 * r * xy + r * r * xx);
    double error = t() * Math.sqrt(unseen() * squares * visited / (visited - 1.0)) / x;
    return Interval.around(r, error).widenedTo(wilson(r)).within(0, 1);
  }

  /** Returns how much of the kind the store has. */
  public Interval total() {
    if (visited == 0) {
      return new Interval(0, 0, Double.POSITIVE_INFINITY);
    }
    double scale = (double) directories / visited;
    if (isWhole() || visited < 2) {
      return isWhole() ? Interval.exactly(y) : new Interval(y, y * scale, Double.POSITIVE_INFINITY);
    }
    double variance = Math.max(0, yy - y * y / visited) / (visited - 1.0);
    double error = t() * directories * Math.sqrt(unseen() * variance / visited);
    return Interval.around(y * scale, error).within(y, Double.POSITIVE_INFINITY);
  }

  private double t() {
    return TDistribution.of(visited - 1.0).inverseCumulativeProbability(CONFIDENT);
  }

  private double unseen() {
    return whole ? 1 - (double) visited / directories : 1;
  }

  /* For independent chunks; those that cannot surprise any more make the sample count for more. */
  private Interval wilson(double r) {
    double n = looked / unseen();
    if (n == 0) {
      return new Interval(0, r, 1);
    }
    double p = lookedOfKind / looked;
    double middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n);
    double half = Z / (1 + Z * Z / n) * Math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n));
    return new Interval(middle - half, r, middle + half);
  }
}
