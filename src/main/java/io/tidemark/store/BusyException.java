package io.tidemark.store;

/** Ends a run because somebody else uses the store; the message is one line. */
public final class BusyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public BusyException(String message) {
    super(message);
  }
}
