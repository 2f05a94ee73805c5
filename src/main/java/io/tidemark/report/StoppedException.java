package io.tidemark.report;

/** Ends a run because somebody asked it to stop. */
public final class StoppedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StoppedException() {
    super("stopped on request");
  }
}
