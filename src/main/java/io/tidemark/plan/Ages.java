package io.tidemark.plan;

/**
 * When some chunks were used last, in seconds since 1970.
 *
 * @param oldest the use that is longest ago; after {@code youngest} when there are no chunks
 * @param youngest the latest use
 */
public record Ages(long oldest, long youngest) {
  public static final Ages NONE = new Ages(Long.MAX_VALUE, Long.MIN_VALUE);

  /** Returns these and others together. */
  public Ages with(long otherOldest, long otherYoungest) {
    return new Ages(Math.min(oldest, otherOldest), Math.max(youngest, otherYoungest));
  }

  public boolean isEmpty() {
    return youngest < oldest;
  }
}
