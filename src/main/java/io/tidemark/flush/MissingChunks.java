package io.tidemark.flush;

import io.tidemark.digest.HexDigest;
import io.tidemark.digest.RecentDigests;
import io.tidemark.report.RunLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;

/** Collects the chunks that an index file requires and that do not exist; for many threads. */
public final class MissingChunks {
  /*
   * The same chunk can be found missing once a batch; it counts once, with the index file that was
   * read first. A lost disk gives millions: the first 100,000 are listed, the others counted (each
   * once while the last million found are remembered).
   */
  public static final int LISTED = 100_000;

  private static final int REMEMBERED = 1 << 20;

  /**
   * A chunk that is not there.
   *
   * @param digest its 64 hexadecimal digits
   * @param index the path of the first index file that requires it
   * @param badFiles how many corrupt copies of it, renamed by a verification, were kept
   */
  public record Missing(String digest, String index, int badFiles) {}

  private final IntFunction<String> ownerPath;
  private final RunLog log;
  private final RecentDigests known = new RecentDigests(REMEMBERED);
  private final List<Missing> listed = new ArrayList<>();
  private final int[] inDirectory = new int[1 << 16];
  private long count;

  /**
   * @param ownerPath gives the path of an index file for its number
   */
  public MissingChunks(IntFunction<String> ownerPath, RunLog log) {
    this.ownerPath = ownerPath;
    this.log = log;
  }

  /** Returns the path of the index file with number {@code owner}. */
  public String ownerPath(int owner) {
    return ownerPath.apply(owner);
  }

  /** Notes a missing chunk, and warns of it when it is new. */
  public synchronized void add(long w0, long w1, long w2, long w3, int owner, int badFiles) {
    add(w0, w1, w2, w3, ownerPath.apply(owner), badFiles);
  }

  private void add(long w0, long w1, long w2, long w3, String index, int badFiles) {
    if (known.seen(w0, w1, w2, w3)) {
      return;
    }
    count++;
    inDirectory[(int) (w0 >>> 48)]++;
    String digest = HexDigest.format(w0, w1, w2, w3);
    log.warn(
        "missing-chunk",
        "warning: unable to access non-existent chunk "
            + digest
            + ", required by \""
            + index
            + "\"",
        index);
    if (listed.size() < LISTED) {
      listed.add(new Missing(digest, index, badFiles));
    }
  }

  /** Notes a chunk that an interrupted run has found missing. */
  public synchronized void restore(String digest, String index, int badFiles) {
    long w0 = Long.parseUnsignedLong(digest, 0, 16, 16);
    long w1 = Long.parseUnsignedLong(digest, 16, 32, 16);
    long w2 = Long.parseUnsignedLong(digest, 32, 48, 16);
    long w3 = Long.parseUnsignedLong(digest, 48, 64, 16);
    add(w0, w1, w2, w3, index, badFiles);
  }

  /** Returns how many chunks are missing. */
  public synchronized long count() {
    return count;
  }

  /** Returns the first {@code most} missing chunks, in the order in which they were found. */
  public synchronized List<Missing> first(int most) {
    return List.copyOf(listed.subList(0, Math.min(most, listed.size())));
  }

  /** Returns how many chunks of the directory of {@code prefix} are missing. */
  public synchronized int countIn(int prefix) {
    return inDirectory[prefix];
  }

  /** Returns the missing chunks, ascending by digest. */
  public synchronized List<Missing> list() {
    return listed.stream().sorted(Comparator.comparing(Missing::digest)).toList();
  }
}
