package io.tidemark.store;

/** Ends a run that must not go on; the message is one line: what, path, why, what to do. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public RefusedException(String message) {
    super(message);
  }
}
