package io.tidemark.collect;

import io.tidemark.batch.Rows;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FileHandle;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.posix.ThreadUsage;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.ChunkHandles;
import io.tidemark.store.ChunkStore;
import io.tidemark.store.EntryKind;
import io.tidemark.store.EntrySink;
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

  /* Entries of no concern that this thread has met beside the walk that counts them. */
  long foreignElsewhere;

  /* Of the directory at hand: whether it was read ahead, and the waits before it was opened. */
  boolean readAhead;
  long waitsBefore;

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
    list((w0, w1, w2, w3, inode, kind) -> entries.add(inode, w0, w1, w2, w3, kind));
  }

  /** Lists the open directory into {@link #entries}, each row the digest and then the inode. */
  void listByDigest() {
    list((w0, w1, w2, w3, inode, kind) -> entries.add(w0, w1, w2, w3, inode, kind));
  }

  private void list(EntrySink sink) {
    entries.clear();
    long start = System.nanoTime();
    directory.list(sink);
    state.map.listed(directory.prefix(), entries.size(), System.nanoTime() - start);
    entries.sort();
  }

  /**
   * Gives the entries that a broken-off sweep had set aside their names back; one that keeps its
   * private name is none of this run's business, and gets the kind {@code FOREIGN}.
   *
   * @param digest the column where the digest begins
   */
  void restoreAside(int digest) {
    for (int row = 0; row < entries.size(); row++) {
      if (entries.tag(row) == EntryKind.ASIDE) {
        int result = restore(row, digest);
        if (result < 0) {
          String path = pathAside(row, digest);
          state.log.warn(
              "put-back-failed",
              "warning: unable to give "
                  + path
                  + " its name back: "
                  + Errno.describe(-result)
                  + "; the next run tries again",
              path);
        }
      }
    }
  }

  /**
   * Does the same before the sweep, when the chunk may be in use.
   *
   * @throws PosixException when a name cannot be given back
   */
  void requireAsideRestored(int digest) {
    for (int row = 0; row < entries.size(); row++) {
      if (entries.tag(row) == EntryKind.ASIDE) {
        int result = restore(row, digest);
        if (result < 0) {
          throw new PosixException(
              "cannot rename back what a broken-off sweep had set aside,",
              pathAside(row, digest),
              result);
        }
      }
    }
  }

  /* A chunk that has been written anew meanwhile makes the one set aside superfluous. */
  private int restore(int row, int digest) {
    long w0 = entries.word(row, digest);
    long w1 = entries.word(row, digest + 1);
    long w2 = entries.word(row, digest + 2);
    long w3 = entries.word(row, digest + 3);
    int result = directory.putBack(w0, w1, w2, w3, EntryKind.CHUNK);
    entries.setTag(row, result == 0 ? EntryKind.CHUNK : EntryKind.FOREIGN);
    return result == -Errno.EEXIST ? directory.unlink(w0, w1, w2, w3, EntryKind.ASIDE) : result;
  }

  private String pathAside(int row, int digest) {
    return directory.path(
        entries.word(row, digest),
        entries.word(row, digest + 1),
        entries.word(row, digest + 2),
        entries.word(row, digest + 3),
        EntryKind.ASIDE);
  }

  @Override
  public void close() {
    state.foreign.add(directory.foreign() - foreignElsewhere);
    directory.close();
    calls.close();
  }
}
