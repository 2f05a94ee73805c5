package io.tidemark.plan;

import java.util.EnumMap;
import java.util.Map;

/** Gathers looks into directories and infers from them what the store has; for many threads. */
public final class StoreSample {
  private final int directories;
  private final Map<Measure, ClusterSample> counts = new EnumMap<>(Measure.class);
  private final Map<Measure, ClusterSample> bytes = new EnumMap<>(Measure.class);
  private long lookedAt;
  private long listed;
  private Ages pending = Ages.NONE;

  /**
   * @param directories how many the store has
   */
  public StoreSample(int directories) {
    this.directories = directories;
    for (Measure measure : Measure.values()) {
      counts.put(measure, new ClusterSample(directories));
      bytes.put(measure, new ClusterSample(directories));
    }
  }

  /** Adds what was found in one directory. */
  public synchronized void add(DirectoryLook look) {
    listed += look.chunks;
    lookedAt += look.lookedAt();
    pending = pending.with(look.oldestPending(), look.youngestPending());
    counts.forEach(
        (measure, sample) -> sample.add(look.chunks, look.lookedAt(), look.count(measure)));
    bytes.forEach(
        (measure, sample) ->
            sample.addAmount(look.chunks, look.lookedAt(), (double) look.bytes(measure)));
  }

  private ClusterSample present() {
    return counts.getOrDefault(Measure.PRESENT, new ClusterSample(directories));
  }

  /** Returns how many directories were looked into. */
  public synchronized int visited() {
    return present().visited();
  }

  /** Returns how many directories there are. */
  public int directories() {
    return directories;
  }

  /** Returns how many chunks were looked at. */
  public synchronized long lookedAt() {
    return lookedAt;
  }

  /** Returns how many chunks were listed. */
  public synchronized long listed() {
    return listed;
  }

  /** Returns when the chunks that are too young to go were used last. */
  public synchronized Ages pending() {
    return pending;
  }

  /** Tells whether every chunk of every directory was looked at. */
  public synchronized boolean isWhole() {
    return present().isWhole();
  }

  /** Returns how much the store has of {@code measure}. */
  public synchronized Estimate estimate(Measure measure) {
    ClusterSample of = counts.getOrDefault(measure, present());
    Interval total = present().total();
    Interval share = measure == Measure.PRESENT ? Interval.exactly(1) : of.share();
    Interval chunks = of.total();
    Interval size = bytes.getOrDefault(measure, of).total();
    if (!isWhole()) {
      // A rare kind: what the share allows, the numbers must allow as well.
      double meanSize =
          chunks.estimate() > 0 ? size.estimate() / chunks.estimate() : meanSize(Measure.PRESENT);
      Interval byShare = share.times(total.estimate());
      chunks = chunks.widenedTo(byShare);
      size = size.widenedTo(byShare.times(meanSize));
    }
    return new Estimate(chunks, size, share);
  }

  private double meanSize(Measure measure) {
    double number = counts.getOrDefault(measure, present()).total().estimate();
    return number == 0 ? 0 : bytes.getOrDefault(measure, present()).total().estimate() / number;
  }
}
