package io.tidemark.benchmarks;

import java.util.SplittableRandom;

/** Digests for measuring: uniform, as SHA-256 is, four words each, and the same in every run. */
final class Digests {
  final long[] words;
  final int size;

  private Digests(long[] words) {
    this.words = words;
    this.size = words.length / 4;
  }

  /** Returns {@code size} digests, all different. */
  static Digests uniform(int size, long seed) {
    return uniform(size, seed, 65536);
  }

  /** Returns the same in only {@code directories} chunk directories, a power of two. */
  static Digests uniform(int size, long seed, int directories) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] words = random.longs(size * 4L).toArray();
    for (int i = 0; i < words.length; i += 4) {
      long prefix = (words[i] >>> 48) % directories * (65536 / directories);
      words[i] = prefix << 48 | words[i] & 0xFFFF_FFFF_FFFFL;
    }
    return new Digests(words);
  }

  /** Returns {@code count} references to this set in its order, as one snapshot after the other. */
  Digests snapshots(int count) {
    long[] references = new long[count * 4];
    for (int i = 0; i < references.length; i += words.length) {
      System.arraycopy(words, 0, references, i, Math.min(words.length, references.length - i));
    }
    return new Digests(references);
  }

  /** Returns {@code count} references to this set, each a random one. */
  Digests references(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] references = new long[count * 4];
    for (int i = 0; i < references.length; i += 4) {
      System.arraycopy(words, random.nextInt(size) * 4, references, i, 4);
    }
    return new Digests(references);
  }

  long word(int digest, int column) {
    return words[digest * 4 + column];
  }

  int prefix(int digest) {
    return (int) (words[digest * 4] >>> 48);
  }
}
