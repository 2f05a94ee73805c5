package io.tidemark.collect;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidemark.index.IndexWriter;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.RecordLock;
import io.tidemark.posix.StampedCalls;
import io.tidemark.posix.SystemCalls;
import io.tidemark.store.PbsHost;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** The files of a small store, and what a server does to them, one system call or two at a time. */
final class ModelDisk {
  /*
   * A few dozen digests in five chunk directories, known by their numbers. All work on files goes
   * through the calls of the thread that comes to a point of the run, with the model's clock.
   */
  static final int DIGESTS = 16;

  /** So many chunk directories a run looks for: two rounds of a walk. */
  static final int CHUNK_DIRECTORIES = 600;

  private static final List<String> DIRECTORIES = List.of("0000", "0001", "01ff", "0200", "0257");
  private static final int PROCESS = 4711;
  private static final int CREATE = Open.O_WRONLY | Open.O_CREAT | Open.O_CLOEXEC;

  final String base;
  final PbsHost host;
  final String journal;
  private final boolean[] present = new boolean[65536];
  private final byte[][] digests = new byte[DIGESTS][];
  private final String[] names = new String[DIGESTS];
  private final LongSupplier stamp;

  ModelDisk(Path root, LongSupplier stamp) {
    this.stamp = stamp;
    base = root.resolve("store").toString();
    host = new PbsHost(root + "/datastore.cfg", root + "/run", root + "/tasks");
    journal = host.run() + "/locks/store/move-journal";
    for (int i = 0; i < DIGESTS; i++) {
      digests[i] = IndexWriter.digest(i);
      String directory = DIRECTORIES.get(i % DIRECTORIES.size());
      byte[] prefix = HexFormat.of().parseHex(directory);
      System.arraycopy(prefix, 0, digests[i], 0, 2);
      names[i] = directory + "/" + HexFormat.of().formatHex(digests[i]);
    }
    try {
      for (String directory : DIRECTORIES) {
        present[Integer.parseInt(directory, 16)] = true;
        Files.createDirectories(Path.of(base, ".chunks", directory));
      }
      Files.createDirectories(Path.of(journal).getParent());
      Files.createDirectories(Path.of(host.tasks()));
      Files.createFile(Path.of(base, ".lock"));
      Files.createFile(Path.of(journal));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the machine's calls for the current thread. */
  SystemCalls calls() {
    return new StampedCalls(stamp, prefix -> present[prefix], PROCESS);
  }

  /** Returns a chunk's path below {@code .chunks}. */
  String name(int digest) {
    return names[digest];
  }

  int numberOf(String hex) {
    for (int i = 0; i < DIGESTS; i++) {
      if (names[i].endsWith(hex)) {
        return i;
      }
    }
    throw new IllegalArgumentException(hex);
  }

  private byte[] chunk(int digest, String suffix) {
    return FileName.encode(base + "/.chunks/" + names[digest] + suffix);
  }

  boolean exists(SystemCalls calls, int digest, String suffix) {
    return calls.statx(Open.AT_FDCWD, chunk(digest, suffix), 0, new FileStatus()) == 0;
  }

  /** Sets a chunk's access time to the present; false when it is not there. */
  boolean touch(SystemCalls calls, int digest) {
    int result = calls.utimensat(Open.AT_FDCWD, chunk(digest, ""), Open.AT_SYMLINK_NOFOLLOW);
    if (result != -Errno.ENOENT) {
      check(result, "touch");
    }
    return result == 0;
  }

  /** Writes a chunk under a temporary name. */
  void writeTemporary(SystemCalls calls, int digest, String suffix) {
    byte[] name = chunk(digest, suffix);
    write(calls, name, new byte[10 + digest]);
    check(calls.utimensat(Open.AT_FDCWD, name, 0), "stamp");
  }

  boolean rename(SystemCalls calls, int digest, String from, String to) {
    int result =
        calls.renameat2(Open.AT_FDCWD, chunk(digest, from), Open.AT_FDCWD, chunk(digest, to), 0);
    if (result != -Errno.ENOENT) {
      check(result, "rename");
    }
    return result == 0;
  }

  void remove(SystemCalls calls, int digest, String suffix) {
    check(calls.unlinkat(Open.AT_FDCWD, chunk(digest, suffix), 0), "unlink");
  }

  /** Writes an index file; false when its directory is not there any more. */
  void writeIndex(SystemCalls calls, String path, List<Integer> chunks) {
    boolean dynamic = path.contains(".didx") || path.contains(".tmp_didx");
    ByteBuffer body =
        ByteBuffer.allocate(chunks.size() * (dynamic ? 40 : 32)).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < chunks.size(); i++) {
      if (dynamic) {
        body.putLong((i + 1) * 1000L);
      }
      body.put(digests[chunks.get(i)]);
    }
    byte[] header =
        dynamic
            ? IndexWriter.dynamicHeader(new byte[32])
            : IndexWriter.fixedHeader(
                chunks.size() * IndexWriter.CHUNK_BYTES, IndexWriter.CHUNK_BYTES, new byte[32]);
    byte[] all = Arrays.copyOf(header, header.length + body.capacity());
    System.arraycopy(body.array(), 0, all, header.length, body.capacity());
    write(calls, FileName.encode(path), all);
  }

  void write(SystemCalls calls, byte[] path, byte[] content) {
    int fd = check(calls.openat(Open.AT_FDCWD, path, CREATE, 0644), "create");
    check(calls.pwrite(fd, content, content.length, 0), "write");
    calls.close(fd);
  }

  void rename(SystemCalls calls, String from, String to) {
    check(
        calls.renameat2(
            Open.AT_FDCWD, FileName.encode(from), Open.AT_FDCWD, FileName.encode(to), 0),
        "rename " + from);
  }

  void remove(SystemCalls calls, String path) {
    check(calls.unlinkat(Open.AT_FDCWD, FileName.encode(path), 0), "unlink");
  }

  static void makeDirectory(String path) {
    if (!new File(path).isDirectory() && !new File(path).mkdirs()) {
      throw new IllegalStateException("cannot make " + path);
    }
  }

  static void removeDirectory(String path) {
    if (!new File(path).delete()) {
      throw new IllegalStateException("cannot remove " + path);
    }
  }

  /** Takes the lock that a writer holds; a negative number when a run holds it alone. */
  int lockShared(SystemCalls calls) {
    int fd =
        check(
            calls.openat(
                Open.AT_FDCWD, FileName.encode(base + "/.lock"), Open.O_RDWR | Open.O_CLOEXEC, 0),
            "open .lock");
    int result = calls.fcntl(fd, RecordLock.F_OFD_SETLK, new RecordLock(RecordLock.F_RDLCK));
    if (result < 0) {
      calls.close(fd);
      return result;
    }
    return fd;
  }

  /** Writes the server's list of running tasks, one writer that started at each of the seconds. */
  void writeTasks(SystemCalls calls, List<Long> starts) {
    StringBuilder lines = new StringBuilder();
    for (long start : starts) {
      lines.append(
          "UPID:pbs:%08X:0000A1B2:00000003:%08X:backup:store:root@pam:%n"
              .formatted(PROCESS, start));
    }
    String path = host.tasks() + "/active";
    remove(path);
    write(calls, FileName.encode(path), lines.toString().getBytes(US_ASCII));
  }

  private static void remove(String path) {
    File file = new File(path);
    if (file.exists() && !file.delete()) {
      throw new IllegalStateException("cannot remove " + path);
    }
  }

  /** Appends paths to the journal of moves; false when a run reads it just now. */
  boolean appendToJournal(SystemCalls calls, List<String> paths) {
    byte[] name = FileName.encode(journal);
    int fd = check(calls.openat(Open.AT_FDCWD, name, Open.O_RDWR | Open.O_CLOEXEC, 0), "journal");
    try {
      if (calls.flock(fd, Open.LOCK_EX | Open.LOCK_NB) < 0) {
        return false;
      }
      long end = new File(journal).length();
      byte[] lines = (String.join("\n", paths) + "\n").getBytes(US_ASCII);
      check(calls.pwrite(fd, lines, lines.length, end), "journal");
      return true;
    } finally {
      calls.close(fd);
    }
  }

  /** Empties the journal, as PBS does at the end of a collection of its own. */
  void emptyJournal() {
    try {
      Files.write(Path.of(journal), new byte[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the names of all files below {@code .chunks}. */
  Set<String> files() {
    Set<String> found = new TreeSet<>();
    for (String directory : DIRECTORIES) {
      String[] listed = new File(base + "/.chunks/" + directory).list();
      if (listed != null) {
        for (String name : listed) {
          found.add(directory + "/" + name);
        }
      }
    }
    return found;
  }

  /** Removes everything. */
  void delete() {
    Path root = Path.of(base).getParent();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int check(int result, String what) {
    if (result < 0) {
      throw new IllegalStateException(what + ": " + Errno.name(-result));
    }
    return result;
  }
}
