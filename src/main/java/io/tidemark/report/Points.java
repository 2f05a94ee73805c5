package io.tidemark.report;

/** Is told of each boundary between two steps of a run, in the thread that comes to it. */
@FunctionalInterface
public interface Points {
  /*
   * A test stops a run here, lets others work on the store, or kills the process. A run has one
   * only when the program that embeds the engine gives it one; no option or variable does.
   */

  /** Does nothing, as in every run outside of tests. */
  Points NONE = point -> {};

  /** Is called at {@code point}; what it throws ends the run. */
  void reach(Point point);
}
