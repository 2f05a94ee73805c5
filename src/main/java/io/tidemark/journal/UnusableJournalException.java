package io.tidemark.journal;

/** Says why a journal cannot be relied on. */
public final class UnusableJournalException extends Exception {
  private static final long serialVersionUID = 1;

  public UnusableJournalException(String why) {
    super(why);
  }
}
