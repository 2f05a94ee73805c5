package io.tidemark.collect;

import io.tidemark.digest.HexDigest;

/** Writes paths of chunks below {@code .chunks} as C strings, into one buffer of a thread. */
final class ChunkPath {
  private final byte[] path = new byte[4 + 1 + HexDigest.LENGTH + 1];

  ChunkPath() {
    path[4] = '/';
  }

  /** Returns the buffer, which holds the path until the next call. */
  byte[] of(long w0, long w1, long w2, long w3) {
    HexDigest.writePrefix(path, (int) (w0 >>> 48));
    HexDigest.write(path, 5, w0, w1, w2, w3);
    return path;
  }
}
