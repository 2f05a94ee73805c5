package io.tidemark.index;

import io.tidemark.digest.DigestSink;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.store.FileIdentity;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.IntConsumer;

/** One open index file, of either kind, whose header passed the checks. */
final class IndexFile implements AutoCloseable {
  /*
   * Read by position in blocks of just under 1 MiB that hold whole entries of both kinds: 160 is a
   * multiple of 32 and of 40. Never mapped: a mapped file that shrinks, or a disk that fails, would
   * end the process instead of the run. PBS renames an index into place when it is complete and
   * never writes it again, so the length found at the start must hold to the end.
   */
  static final int BLOCK_BYTES = (1 << 20) / 160 * 160;

  /* A touch in a sink may take 10 ms on a cold store; a stop request must be seen within 2 s. */
  private static final int SLICE = 64;

  private static final int IDENTITY_BEGIN = 8;
  private static final int IDENTITY_END = 64;

  private static final String CANNOT_READ = "cannot read index file";

  private final SystemCalls calls;
  private final String path;
  private final int fd;
  private final long fileBytes;
  private final IndexLayout layout;
  private final FileIdentity identity;
  private final long[] secondWords = new long[DigestSink.GROUP];

  private IndexFile(
      SystemCalls calls, String path, int fd, IndexLayout layout, FileIdentity identity) {
    this.calls = calls;
    this.path = path;
    this.fd = fd;
    this.fileBytes = identity.size();
    this.layout = layout;
    this.identity = identity;
  }

  /**
   * Opens and checks the file, through a symbolic link as well; empty when there is none.
   *
   * @param block a buffer of {@link #BLOCK_BYTES}
   * @throws CorruptIndexException when it is no valid index file
   * @throws PosixException when it cannot be read
   */
  static Optional<IndexFile> open(SystemCalls calls, String path, byte[] block) {
    /* Without O_NONBLOCK a pipe named like an index would hold the run up for ever. */
    int flags = Open.O_RDONLY | Open.O_CLOEXEC | Open.O_NONBLOCK;
    int fd = calls.openat(Open.AT_FDCWD, FileName.encode(path), flags, 0);
    if (fd == -Errno.ENOENT) {
      return Optional.empty();
    }
    PosixException.check(fd, "cannot open index file", path);
    try {
      FileStatus status = regularFile(calls, path, fd);
      long fileBytes = status.size();
      IndexLayout.checkSize(path, fileBytes);
      fill(calls, path, fd, block, IndexLayout.HEADER_BYTES, 0);
      IndexLayout layout = IndexLayout.of(path, block, fileBytes);
      return Optional.of(new IndexFile(calls, path, fd, layout, identity(status, block)));
    } catch (RuntimeException e) {
      calls.close(fd);
      throw e;
    }
  }

  /* Of the header: the uuid, the time of creation and the checksum over all digests. */
  private static FileIdentity identity(FileStatus status, byte[] header) {
    return new FileIdentity(
        status.inode(),
        status.size(),
        status.mtimeInNanos(),
        status.ctimeInNanos(),
        HexFormat.of().formatHex(header, IDENTITY_BEGIN, IDENTITY_END));
  }

  private static FileStatus regularFile(SystemCalls calls, String path, int fd) {
    FileStatus status = new FileStatus();
    PosixException.check(
        calls.statx(fd, FileName.encode(""), Open.AT_EMPTY_PATH, status), CANNOT_READ, path);
    if (!status.isRegular()) {
      String found = status.isDirectory() ? "a directory" : "a special file";
      throw new CorruptIndexException(path, "not a file", "a regular file", found, 0);
    }
    return status;
  }

  /** Returns what tells this file, with these contents, from any other. */
  FileIdentity identity() {
    return identity;
  }

  /** Returns the number of digests. */
  long entries() {
    return layout.entries();
  }

  /**
   * Passes all digests on, in the file's order, and returns the bytes of data that they stand for.
   *
   * @param block a buffer of {@link #BLOCK_BYTES}
   * @param beforeSlice is told of each few digests before they are passed on; may throw to stop
   */
  long read(byte[] block, IntConsumer beforeSlice, DigestSink sink) {
    int length = 0;
    for (long at = IndexLayout.HEADER_BYTES; at < fileBytes; at += length) {
      length = (int) Math.min(BLOCK_BYTES, fileBytes - at);
      fill(calls, path, fd, block, length, at);
      int sliceBytes = SLICE * layout.entryBytes();
      for (int begin = 0; begin < length; begin += sliceBytes) {
        int end = Math.min(begin + sliceBytes, length);
        beforeSlice.accept((end - begin) / layout.entryBytes());
        pass(block, begin, end, at, sink);
      }
    }
    return layout.imageBytes(path, block, length);
  }

  private void pass(byte[] block, int begin, int end, long blockAt, DigestSink sink) {
    int groupBytes = DigestSink.GROUP * layout.entryBytes();
    for (int from = begin; from < end; from += groupBytes) {
      int to = Math.min(from + groupBytes, end);
      announce(block, from, to, sink);
      passGroup(block, from, to, blockAt, sink);
    }
  }

  private void announce(byte[] block, int begin, int end, DigestSink sink) {
    int stride = layout.entryBytes();
    int count = 0;
    for (int i = begin + layout.digestOffset(); i < end; i += stride) {
      secondWords[count++] = (long) IndexLayout.BIG_ENDIAN.get(block, i + 8);
    }
    sink.announce(secondWords, count);
  }

  private void passGroup(byte[] block, int begin, int end, long blockAt, DigestSink sink) {
    int stride = layout.entryBytes();
    for (int i = begin + layout.digestOffset(); i < end; i += stride) {
      long w0 = (long) IndexLayout.BIG_ENDIAN.get(block, i);
      long w1 = (long) IndexLayout.BIG_ENDIAN.get(block, i + 8);
      long w2 = (long) IndexLayout.BIG_ENDIAN.get(block, i + 16);
      long w3 = (long) IndexLayout.BIG_ENDIAN.get(block, i + 24);
      if ((w0 | w1 | w2 | w3) == 0) {
        throw zeroDigest(blockAt + i);
      }
      sink.accept(w0, w1, w2, w3);
    }
  }

  /*
   * No data has this SHA-256. A crash before the blocks reached the disk leaves such holes; the
   * chunks that belong there are unknown and would be removed. PBS reports one missing chunk.
   */
  private CorruptIndexException zeroDigest(long offset) {
    return new CorruptIndexException(path, "hole", "a digest", "32 zero bytes", offset);
  }

  private static void fill(
      SystemCalls calls, String path, int fd, byte[] block, int length, long at) {
    int read = readAt(calls, path, fd, block, length, at);
    if (read < length) {
      byte[] rest = new byte[length];
      while (read < length) {
        int more = readAt(calls, path, fd, rest, length - read, at + read);
        System.arraycopy(rest, 0, block, read, more);
        read += more;
      }
    }
  }

  private static int readAt(
      SystemCalls calls, String path, int fd, byte[] into, int length, long at) {
    int read = PosixException.check(calls.pread(fd, into, length, at), CANNOT_READ, path);
    if (read == 0) {
      throw new CorruptIndexException(
          path, "file shrank while it was read", length + " more bytes", "its end", at);
    }
    return read;
  }

  @Override
  public void close() {
    calls.close(fd);
  }
}
