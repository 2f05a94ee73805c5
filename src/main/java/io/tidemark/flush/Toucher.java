package io.tidemark.flush;

import io.tidemark.posix.Errno;
import io.tidemark.posix.PosixException;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.EntryKind;
import java.util.concurrent.atomic.LongAdder;

/** Sets access times of referenced chunks to now; safe for many threads. */
public final class Toucher {
  /*
   * Only ENOENT is an answer. Any other error means that a chunk in use may look old, so it ends
   * the run before the sweep. A chunk that is not there may have been set aside by a sweep that was
   * broken off: then it gets its name back, and when that fails the sweep, which would try it again
   * and find the chunk old, must not come. Else its corrupt copies are touched, which keeps them
   * as long as something requires the chunk.
   */
  private final MissingChunks missing;
  private final LongAdder touched;

  /**
   * Makes a toucher that may be shared.
   *
   * @param touched counts the chunks touched
   */
  public Toucher(MissingChunks missing, LongAdder touched) {
    this.missing = missing;
    this.touched = touched;
  }

  /**
   * Touches a chunk in the open directory.
   *
   * @param owner the number of an index file that requires it
   * @return whether it exists
   */
  public boolean touch(ChunkDirectory directory, long w0, long w1, long w2, long w3, int owner) {
    int result = directory.touch(w0, w1, w2, w3, EntryKind.CHUNK);
    return touch(directory, w0, w1, w2, w3, owner, result);
  }

  /**
   * Deals with the result of a touch of a chunk in the open directory.
   *
   * @param first what the touch returned
   * @return whether the chunk exists
   */
  public boolean touch(
      ChunkDirectory directory, long w0, long w1, long w2, long w3, int owner, int first) {
    int result = first;
    if (result == -Errno.ENOENT) {
      int back = directory.putBack(w0, w1, w2, w3, EntryKind.CHUNK);
      if (back == 0 || back == -Errno.EEXIST) {
        result = directory.touch(w0, w1, w2, w3, EntryKind.CHUNK);
      } else if (back != -Errno.ENOENT) {
        throw failure(directory, w0, w1, w2, w3, owner, back);
      }
    }
    if (result == 0) {
      touched.increment();
      return true;
    }
    if (result != -Errno.ENOENT) {
      throw failure(directory, w0, w1, w2, w3, owner, result);
    }
    missing.add(w0, w1, w2, w3, owner, touchBad(directory, w0, w1, w2, w3, owner));
    return false;
  }

  /** Counts a chunk that was touched by other means than {@link #touch}. */
  public void countTouched() {
    touched.increment();
  }

  /** Returns what to throw when a touch failed with {@code result}. */
  public PosixException failure(
      ChunkDirectory directory, long w0, long w1, long w2, long w3, int owner, int result) {
    return new PosixException(
        "cannot touch a chunk that \"" + missing.ownerPath(owner) + "\" requires,",
        directory.path(w0, w1, w2, w3, EntryKind.CHUNK),
        result);
  }

  private int touchBad(ChunkDirectory directory, long w0, long w1, long w2, long w3, int owner) {
    int found = 0;
    for (int number = 0; number < 10; number++) {
      int result = directory.touch(w0, w1, w2, w3, EntryKind.bad(number));
      if (result == 0) {
        found++;
      } else if (result != -Errno.ENOENT) {
        throw failure(directory, w0, w1, w2, w3, owner, result);
      }
    }
    return found;
  }
}
