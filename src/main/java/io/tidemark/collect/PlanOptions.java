package io.tidemark.collect;

import java.time.Duration;

/**
 * What a plan is to tell, and how much it may take.
 *
 * @param run the collection that is planned
 * @param depth how much to read
 * @param time how long a sample may take, about
 */
public record PlanOptions(Options run, Depth depth, Duration time) {
  public static final Duration DEFAULT_TIME = Duration.ofSeconds(20);
  private static final Duration LEAST_TIME = Duration.ofSeconds(1);

  /** Says how much is read. */
  public enum Depth {
    SAMPLE,
    EVERYTHING
  }

  public PlanOptions {
    if (run.action() != Options.Action.DRY_RUN) {
      throw new IllegalArgumentException("a plan is made of a dry run");
    }
    if (time.compareTo(LEAST_TIME) < 0) {
      throw new IllegalArgumentException("a plan takes a second at least");
    }
  }
}
