package io.tidemark.store;

import io.tidemark.digest.HexDigest;
import io.tidemark.posix.Dirents;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FileHandle;
import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;

/**
 * One thread's hand on the chunk directories: opens one at a time and reaches its chunks in it.
 *
 * <p>A chunk is named by the four words of its digest. Calls that expect trouble return negated
 * error numbers, as {@link SystemCalls} does.
 */
public final class ChunkDirectory implements AutoCloseable {
  /*
   * The directory is opened once and everything in it is reached relative to its descriptor: no
   * call resolves a path from the root, and a directory that is swapped meanwhile cannot redirect
   * one. Names are written as hexadecimal straight into one buffer, so nothing is allocated per
   * chunk. A directory without an open descriptor (CLOSED) has no chunks: every call says ENOENT.
   */
  private static final int CLOSED = -1;
  private static final int LONGEST_SUFFIX = 9;

  private final ChunkStore store;
  private final SystemCalls calls;
  private final boolean ownsCalls;
  private final FileStatus status = new FileStatus();
  private final byte[] directoryName = new byte[5];
  private final byte[] name = new byte[HexDigest.LENGTH + LONGEST_SUFFIX + 1];
  private final byte[] asideName = new byte[HexDigest.LENGTH + LONGEST_SUFFIX + 1];
  private Dirents dirents = new Dirents(Dirents.DEFAULT_BYTES);
  private int descriptor = CLOSED;
  private int prefix;
  private long foreign;

  ChunkDirectory(ChunkStore store, SystemCalls calls, boolean ownsCalls) {
    this.store = store;
    this.calls = calls;
    this.ownsCalls = ownsCalls;
  }

  /** Returns the system calls of this thread. */
  public SystemCalls calls() {
    return calls;
  }

  /**
   * Opens the directory of digests that begin with {@code prefix}; false when there is none.
   *
   * @throws PosixException when it cannot be opened for another reason
   * @throws RefusedException when it is a symbolic link that leads nowhere
   */
  public boolean open(int prefix) {
    closeDirectory();
    this.prefix = prefix;
    HexDigest.writePrefix(directoryName, prefix);
    int result =
        calls.openat(
            store.chunksDescriptor(),
            directoryName,
            Open.O_RDONLY | Open.O_DIRECTORY | Open.O_CLOEXEC,
            0);
    if (result == -Errno.ENOENT) {
      refuseDanglingLink();
      return false;
    }
    descriptor = PosixException.check(result, "cannot open chunk directory", path());
    return true;
  }

  private void refuseDanglingLink() {
    int result =
        calls.statx(store.chunksDescriptor(), directoryName, Open.AT_SYMLINK_NOFOLLOW, status);
    if (result == 0 && status.isSymbolicLink()) {
      throw new RefusedException(
          "chunk directory "
              + path()
              + " is a symbolic link that leads nowhere: is a disk not mounted? Nothing was"
              + " removed in it; mount it or remove the link");
    }
  }

  /** Returns the prefix of the directory opened last. */
  public int prefix() {
    return prefix;
  }

  /** Returns the path of the directory opened last. */
  public String path() {
    return store.chunksPath() + "/" + HexDigest.formatPrefix(prefix);
  }

  /** Returns the path of a chunk in this directory, or of a file beside it, for messages. */
  public String path(long w0, long w1, long w2, long w3, int kind) {
    return path() + "/" + HexDigest.format(w0, w1, w2, w3) + EntryKind.suffix(kind);
  }

  /** Sets the access time of a chunk to now, never that of what a link points to. */
  public int touch(long w0, long w1, long w2, long w3, int kind) {
    if (descriptor == CLOSED) {
      return -Errno.ENOENT;
    }
    return calls.utimensat(descriptor, name(name, w0, w1, w2, w3, kind), Open.AT_SYMLINK_NOFOLLOW);
  }

  /** Touches a chunk by its path below {@code .chunks}, whatever directory is open. */
  public int touchByPath(byte[] relativePath) {
    return calls.utimensat(store.chunksDescriptor(), relativePath, Open.AT_SYMLINK_NOFOLLOW);
  }

  /** Asks for the status of a chunk afresh; {@link #status} has the answer. */
  public int stat(long w0, long w1, long w2, long w3, int kind) {
    if (descriptor == CLOSED) {
      return -Errno.ENOENT;
    }
    return calls.statx(
        descriptor, name(name, w0, w1, w2, w3, kind), Open.AT_SYMLINK_NOFOLLOW, status);
  }

  /** Asks for the status of the open directory itself; {@link #status} has the answer. */
  public int statDirectory() {
    return calls.statx(descriptor, ChunkHandles.EMPTY, Open.AT_EMPTY_PATH, status);
  }

  /** Asks for the status of what a descriptor stands for; {@link #status} has the answer. */
  public int statDescriptor(int fd) {
    return calls.statx(fd, ChunkHandles.EMPTY, Open.AT_EMPTY_PATH, status);
  }

  /** Sets the access time of what a descriptor stands for to now. */
  public int touchDescriptor(int fd) {
    return calls.utimensat(fd, ChunkHandles.EMPTY, Open.AT_EMPTY_PATH);
  }

  /** Asks for the status of a chunk by its path below {@code .chunks}. */
  public int statByPath(byte[] relativePath) {
    return calls.statx(store.chunksDescriptor(), relativePath, Open.AT_SYMLINK_NOFOLLOW, status);
  }

  /** Asks for the handle of a chunk. */
  public int handle(long w0, long w1, long w2, long w3, FileHandle into) {
    if (descriptor == CLOSED) {
      return -Errno.ENOENT;
    }
    return calls.nameToHandleAt(descriptor, name(name, w0, w1, w2, w3, EntryKind.CHUNK), into, 0);
  }

  /** Returns the answer to the last successful {@link #stat}; it changes with the next one. */
  public FileStatus status() {
    return status;
  }

  public int unlink(long w0, long w1, long w2, long w3, int kind) {
    return calls.unlinkat(descriptor, name(name, w0, w1, w2, w3, kind), 0);
  }

  /**
   * Renames a chunk to the private name that only its sweep knows.
   *
   * @param kind what the chunk is called now
   */
  public int setAside(long w0, long w1, long w2, long w3, int kind) {
    return calls.renameat2(
        descriptor,
        name(name, w0, w1, w2, w3, kind),
        descriptor,
        name(asideName, w0, w1, w2, w3, EntryKind.ASIDE),
        0);
  }

  /**
   * Gives a chunk that was set aside its name back, unless the name has been taken meanwhile.
   *
   * @return 0, or -EEXIST when a chunk of that name exists, or another error
   */
  public int putBack(long w0, long w1, long w2, long w3, int kind) {
    if (descriptor == CLOSED) {
      return -Errno.ENOENT;
    }
    byte[] from = name(asideName, w0, w1, w2, w3, EntryKind.ASIDE);
    byte[] to = name(name, w0, w1, w2, w3, kind);
    int result = calls.renameat2(descriptor, from, descriptor, to, Open.RENAME_NOREPLACE);
    if (result == -Errno.EINVAL) {
      // Not every file system (NFS) knows the flag; a link cannot replace anything either.
      result = calls.linkat(descriptor, from, descriptor, to, 0);
      if (result == 0) {
        result = calls.unlinkat(descriptor, from, 0);
      }
    }
    return result;
  }

  /** Reads all entries and does nothing with them, for what that loads into the caches. */
  public int warm() {
    int result;
    do {
      result = calls.getdents64(descriptor, dirents);
    } while (result > 0);
    return result;
  }

  /**
   * Does the same and returns how many entries there are, whatever they are.
   *
   * @throws PosixException when the directory cannot be read
   */
  public int count() {
    int entries = 0;
    int result = calls.getdents64(descriptor, dirents);
    while (result > 0) {
      while (dirents.next()) {
        entries += dirents.isDot() ? 0 : 1;
      }
      growWhenFilled(result);
      result = calls.getdents64(descriptor, dirents);
    }
    PosixException.check(result, "cannot read chunk directory", path());
    return entries;
  }

  /**
   * Gives all entries that belong to chunks to {@code sink}, in the order of the directory.
   *
   * @return the number of entries given; others are only counted, see {@link #foreign}
   * @throws PosixException when the directory cannot be read
   */
  public int list(EntrySink sink) {
    int entries = 0;
    int result = calls.getdents64(descriptor, dirents);
    while (result > 0) {
      while (dirents.next()) {
        if (!dirents.isDot() && give(sink)) {
          entries++;
        }
      }
      growWhenFilled(result);
      result = calls.getdents64(descriptor, dirents);
    }
    PosixException.check(result, "cannot read chunk directory", path());
    return entries;
  }

  private void growWhenFilled(int bytes) {
    if (bytes > dirents.capacity() - 4096 && dirents.capacity() < Dirents.LARGE_BYTES) {
      dirents.close();
      dirents = new Dirents(Dirents.LARGE_BYTES);
    }
  }

  private boolean give(EntrySink sink) {
    int kind = kind();
    if (kind == EntryKind.FOREIGN || !isRegular()) {
      foreign++;
      store.noteForeign(prefix, dirents);
      return false;
    }
    sink.entry(digestWord(0), digestWord(1), digestWord(2), digestWord(3), dirents.inode(), kind);
    return true;
  }

  private boolean isRegular() {
    if (dirents.type() != Dirents.DT_UNKNOWN) {
      return dirents.type() == Dirents.DT_REG;
    }
    int result =
        calls.statx(descriptor, FileName.encode(dirents.name()), Open.AT_SYMLINK_NOFOLLOW, status);
    return result == 0 && status.isRegular();
  }

  private long digestWord(int word) {
    return HexDigest.value(dirents.nameWord(word * 16)) << 32
        | HexDigest.value(dirents.nameWord(word * 16 + 8));
  }

  private int kind() {
    int length = dirents.nameLength();
    if (length < HexDigest.LENGTH) {
      return EntryKind.FOREIGN;
    }
    for (int i = 0; i < HexDigest.LENGTH; i += 8) {
      if (!HexDigest.isHex(dirents.nameWord(i))) {
        return EntryKind.FOREIGN;
      }
    }
    return switch (length - HexDigest.LENGTH) {
      case 0 -> EntryKind.CHUNK;
      case 6 -> {
        int number = dirents.nameByte(HexDigest.LENGTH + 1) - '0';
        if (ends(".using")) {
          yield EntryKind.USING;
        }
        yield number >= 0 && number <= 9 && ends("." + number + ".bad")
            ? EntryKind.bad(number)
            : EntryKind.FOREIGN;
      }
      case LONGEST_SUFFIX -> ends(".tidemark") ? EntryKind.ASIDE : EntryKind.FOREIGN;
      default -> EntryKind.FOREIGN;
    };
  }

  private boolean ends(String suffix) {
    for (int i = 0; i < suffix.length(); i++) {
      if (dirents.nameByte(HexDigest.LENGTH + i) != suffix.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns how many entries of no concern this thread has met in all directories. */
  public long foreign() {
    return foreign;
  }

  private static byte[] name(byte[] into, long w0, long w1, long w2, long w3, int kind) {
    HexDigest.write(into, 0, w0, w1, w2, w3);
    int end = HexDigest.LENGTH;
    if (kind != EntryKind.CHUNK) {
      String suffix = EntryKind.suffix(kind);
      for (int i = 0; i < suffix.length(); i++) {
        into[end++] = (byte) suffix.charAt(i);
      }
    }
    into[end] = 0;
    return into;
  }

  private void closeDirectory() {
    if (descriptor != CLOSED) {
      calls.close(descriptor);
      descriptor = CLOSED;
    }
  }

  @Override
  public void close() {
    closeDirectory();
    dirents.close();
    if (ownsCalls) {
      calls.close();
    }
  }
}
