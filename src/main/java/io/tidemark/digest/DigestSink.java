package io.tidemark.digest;

/** Takes digests one by one, each as four 64-bit words, big-endian, so that word 0 sorts first. */
@FunctionalInterface
public interface DigestSink {
  void accept(long w0, long w1, long w2, long w3);
}
