package io.tidemark.store;

import io.tidemark.digest.HexDigest;
import io.tidemark.posix.CallSource;
import io.tidemark.posix.Dirents;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.FileSystemStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An open datastore: its root, its directory {@code .chunks}, and the way to each chunk. */
public final class ChunkStore implements AutoCloseable {
  private static final int DIRECTORIES = 65536;
  private static final byte[] HERE = {0};

  private final SystemCalls calls;
  private final String base;
  private final int chunks;
  private boolean linked;
  private final BitSet present = new BitSet(DIRECTORIES);
  private final AtomicReference<@Nullable String> firstForeign = new AtomicReference<>();

  private ChunkStore(SystemCalls calls, String base, int chunks) {
    this.calls = calls;
    this.base = base;
    this.chunks = chunks;
  }

  /**
   * Opens the datastore at {@code base}, an absolute path.
   *
   * @throws RefusedException when there is no directory {@code .chunks} in it
   */
  public static ChunkStore open(SystemCalls calls, String base) {
    String path = base + "/.chunks";
    byte[] name = FileName.encode(path);
    int flags = Open.O_RDONLY | Open.O_DIRECTORY | Open.O_CLOEXEC;
    int result = calls.openat(Open.AT_FDCWD, name, flags, 0);
    if (result < 0) {
      throw new RefusedException(whyNot(calls, base, path, name, result));
    }
    return new ChunkStore(calls, base, result);
  }

  private static String whyNot(
      SystemCalls calls, String base, String path, byte[] name, int result) {
    FileStatus status = new FileStatus();
    if (result == -Errno.ENOTDIR || result == -Errno.ENOENT) {
      byte[] root = FileName.encode(base);
      int rootStat = calls.statx(Open.AT_FDCWD, root, 0, status);
      if (rootStat < 0) {
        return "cannot open the datastore " + base + ": " + Errno.describe(-rootStat);
      }
      if (!status.isDirectory()) {
        return "the datastore "
            + base
            + " is not a directory: name the directory that holds .chunks";
      }
      if (calls.statx(Open.AT_FDCWD, name, Open.AT_SYMLINK_NOFOLLOW, status) == 0) {
        return status.isSymbolicLink()
            ? path + " is a symbolic link that leads to no directory: is a disk not mounted?"
            : path + " is not a directory: " + base + " is no usable datastore";
      }
      return base + " is not a datastore: it has no directory .chunks; is the disk mounted?";
    }
    return "cannot open " + path + ": " + Errno.describe(-result);
  }

  /** Returns the path of the datastore. */
  public String base() {
    return base;
  }

  /** Returns the path of {@code .chunks}. */
  public String chunksPath() {
    return base + "/.chunks";
  }

  int chunksDescriptor() {
    return chunks;
  }

  /** Returns the descriptor of {@code .chunks}, for the safety check and the file handles. */
  public int descriptor() {
    return chunks;
  }

  /** Returns a new hand on the chunk directories for the thread that owns {@code calls}. */
  public ChunkDirectory directory(SystemCalls calls) {
    return new ChunkDirectory(this, calls, false);
  }

  /** Returns the same with system calls of its own, which are closed with it. */
  public ChunkDirectory directory(CallSource source) {
    return new ChunkDirectory(this, source.open(), true);
  }

  /** Returns what the file system of the chunks is. */
  public FileSystemStatus fileSystem() {
    FileSystemStatus status = new FileSystemStatus();
    PosixException.check(calls.fstatfs(chunks, status), "cannot examine", chunksPath());
    return status;
  }

  /**
   * Returns the status of {@code .chunks} itself; its owner is the owner of new files.
   *
   * @throws PosixException when it cannot be read
   */
  public FileStatus chunksStatus() {
    FileStatus status = new FileStatus();
    PosixException.check(
        calls.statx(chunks, HERE, Open.AT_EMPTY_PATH, status), "cannot examine", chunksPath());
    return status;
  }

  /**
   * Counts the chunk directories, and looks that each is a directory or a link to one.
   *
   * @throws RefusedException when one is a file, or a link that leads nowhere
   */
  public int countDirectories() {
    int directories = 0;
    int listing =
        PosixException.check(
            calls.openat(
                chunks, new byte[] {'.', 0}, Open.O_RDONLY | Open.O_DIRECTORY | Open.O_CLOEXEC, 0),
            "cannot open",
            chunksPath());
    try (Dirents dirents = new Dirents(Dirents.DEFAULT_BYTES)) {
      int result = calls.getdents64(listing, dirents);
      while (result > 0) {
        while (dirents.next()) {
          if (isDirectoryName(dirents)) {
            requireDirectory(dirents);
            present.set(Integer.parseInt(dirents.name(), 16));
            directories++;
          }
        }
        result = calls.getdents64(listing, dirents);
      }
      PosixException.check(result, "cannot read", chunksPath());
    } finally {
      calls.close(listing);
    }
    return directories;
  }

  /** Returns the prefixes of the directories that {@link #countDirectories} has met. */
  public BitSet directories() {
    return (BitSet) present.clone();
  }

  private static boolean isDirectoryName(Dirents dirents) {
    if (dirents.nameLength() != 4) {
      return false;
    }
    for (int i = 0; i < 4; i++) {
      int c = dirents.nameByte(i);
      if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
        return false;
      }
    }
    return true;
  }

  private void requireDirectory(Dirents dirents) {
    if (dirents.type() == Dirents.DT_DIR) {
      return;
    }
    linked = true; // or of unknown type
    String path = chunksPath() + "/" + dirents.name();
    FileStatus status = new FileStatus();
    int result = calls.statx(chunks, FileName.encode(dirents.name()), 0, status);
    if (result == -Errno.ENOENT || result == -Errno.ELOOP) {
      throw new RefusedException(
          "chunk directory "
              + path
              + " is a symbolic link that leads nowhere: is a disk not mounted? Nothing was"
              + " touched or removed; mount it or remove the link");
    }
    PosixException.check(result, "cannot examine chunk directory", path);
    if (!status.isDirectory()) {
      throw new RefusedException(
          "chunk directory "
              + path
              + " is not a directory. Nothing was touched or removed; move the file away and make"
              + " the directory (mode 0750, owner backup)");
    }
  }

  /** Tells whether any chunk but {@code except}, the one of the safety check, is in the store. */
  public boolean hasChunks(ChunkDirectory directory, String except) {
    boolean[] found = {false};
    for (int prefix = 0; prefix < DIRECTORIES && !found[0]; prefix++) {
      if (directory.open(prefix)) {
        directory.list(
            (w0, w1, w2, w3, inode, kind) ->
                found[0] |=
                    kind == EntryKind.CHUNK && !HexDigest.format(w0, w1, w2, w3).equals(except));
      }
    }
    return found[0];
  }

  /** Returns some chunk of the store; empty when there is none. */
  public Optional<ChunkHandles.Sample> anyChunk(ChunkDirectory directory) {
    List<ChunkHandles.Sample> found = new ArrayList<>();
    for (int prefix = 0; prefix < DIRECTORIES && found.isEmpty(); prefix++) {
      if (directory.open(prefix)) {
        int opened = prefix;
        directory.list(
            (w0, w1, w2, w3, inode, kind) -> {
              if (found.isEmpty() && kind == EntryKind.CHUNK) {
                found.add(new ChunkHandles.Sample(opened, w0, w1, w2, w3, inode));
              }
            });
      }
    }
    return found.stream().findFirst();
  }

  /** Tells whether all chunk directories found are on one file system, as far as is known. */
  public boolean isOneFileSystem() {
    return !linked && !MountOptions.isMountedBelow(chunksPath());
  }

  void noteForeign(int prefix, Dirents dirents) {
    if (firstForeign.get() == null) {
      firstForeign.compareAndSet(
          null, chunksPath() + "/" + HexDigest.formatPrefix(prefix) + "/" + dirents.name());
    }
  }

  /** Returns the path of the first entry of no concern that was met; null when there was none. */
  public @Nullable String firstForeign() {
    return firstForeign.get();
  }

  @Override
  public void close() {
    calls.close(chunks);
  }
}
