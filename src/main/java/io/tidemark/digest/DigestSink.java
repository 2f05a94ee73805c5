package io.tidemark.digest;

/** Takes digests one by one, each as four 64-bit words, big-endian, so that word 0 sorts first. */
@FunctionalInterface
public interface DigestSink {
  /** The most digests that are announced at a time. */
  int GROUP = 32;

  void accept(long w0, long w1, long w2, long w3);

  /**
   * Tells which digests come next, so that what they need can be fetched for all of them at once.
   *
   * @param secondWords their words 1
   * @param count how many, at most {@link #GROUP}
   */
  default void announce(long[] secondWords, int count) {}
}
