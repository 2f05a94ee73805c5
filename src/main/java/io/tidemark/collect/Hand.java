package io.tidemark.collect;

import io.tidemark.batch.Rows;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FileHandle;
import io.tidemark.posix.SystemCalls;
import io.tidemark.posix.ThreadUsage;
import io.tidemark.report.RunLog;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.ChunkHandles;
import io.tidemark.store.ChunkStore;
import io.tidemark.store.EntryKind;
import io.tidemark.store.XfsGenerations;
import org.jspecify.annotations.Nullable;

/** What one thread of a collection owns: its system calls, an open chunk directory, its entries. */
final class Hand implements AutoCloseable {
  private final SystemCalls calls;
  private final ThreadUsage usage = new ThreadUsage();
  private final RunState state;
  private @Nullable XfsGenerations generations;
  final ChunkDirectory directory;
  final ChunkPath path = new ChunkPath();
  final FileHandle handle = new FileHandle();

  /* The entries of a directory: the inode number or the digest first, as asked; tag = kind. */
  final Rows entries = new Rows(5, Rows.maximumCapacity(5));

  /* The same after a join: the inode number first, then the digest; tags as in JoinTag. */
  final Rows joined = new Rows(5, Rows.maximumCapacity(5));

  Hand(ChunkStore store, RunState state) {
    this.calls = state.environment.calls().open();
    this.state = state;
    this.directory = store.directory(calls);
  }

  SystemCalls calls() {
    return calls;
  }

  /** Returns this thread's look-up of generations. */
  XfsGenerations generations(ChunkHandles handles) {
    XfsGenerations own = generations;
    if (own == null) {
      own = handles.generations(calls);
      generations = own;
    }
    return own;
  }

  /** Returns how often this thread has waited for a device so far. */
  long waits() {
    calls.getrusage(usage);
    return usage.voluntarySwitches();
  }

  /** Lists the open directory into {@link #entries}, each row the inode and then the digest. */
  void listByInode() {
    entries.clear();
    directory.list((w0, w1, w2, w3, inode, kind) -> entries.add(inode, w0, w1, w2, w3, kind));
    entries.sort();
  }

  /** Lists the open directory into {@link #entries}, each row the digest and then the inode. */
  void listByDigest() {
    entries.clear();
    directory.list((w0, w1, w2, w3, inode, kind) -> entries.add(w0, w1, w2, w3, inode, kind));
    entries.sort();
  }

  /**
   * Gives the entries that a broken-off sweep had set aside their names back.
   *
   * @param digest the column where the digest begins
   */
  void restoreAside(int digest) {
    for (int row = 0; row < entries.size(); row++) {
      if (entries.tag(row) == EntryKind.ASIDE) {
        restore(row, digest, state.log);
      }
    }
  }

  private void restore(int row, int digest, RunLog log) {
    long w0 = entries.word(row, digest);
    long w1 = entries.word(row, digest + 1);
    long w2 = entries.word(row, digest + 2);
    long w3 = entries.word(row, digest + 3);
    int result = directory.putBack(w0, w1, w2, w3, EntryKind.CHUNK);
    if (result == 0) {
      entries.setTag(row, EntryKind.CHUNK);
    } else if (result == -Errno.EEXIST) {
      directory.unlink(w0, w1, w2, w3, EntryKind.ASIDE);
    } else {
      String path = directory.path(w0, w1, w2, w3, EntryKind.ASIDE);
      log.warn(
          "put-back-failed",
          "warning: unable to give "
              + path
              + " its name back: "
              + Errno.describe(-result)
              + "; the next run tries again",
          path);
    }
  }

  @Override
  public void close() {
    state.foreign.add(directory.foreign());
    directory.close();
    calls.close();
  }
}
