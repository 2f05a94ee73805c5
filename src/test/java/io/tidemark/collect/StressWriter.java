package io.tidemark.collect;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidemark.index.IndexWriter;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process that backs up as fast as it can, and one thread in it that prunes and moves. */
final class StressWriter {
  /*
   * Each writer has a group of its own. It refers to chunks of its last snapshot without touching
   * them, looks for others and touches or writes them, and gives the index file its name when all
   * its chunks are there. The pruner leaves the last finished snapshot of a group alone, which may
   * be what a backup builds on, and moves a group only while nobody backs it up.
   *
   * The letter R on standard input lets it work, S lets it end what it does; it answers with counts.
   */
  private static final int CHUNKS = 300;

  private static final int MOST_SNAPSHOTS = 4;
  private static final int MOST_BACKUPS = 10;
  private static final int PAUSE_NANOS = 200_000;

  private static final List<String> DIRECTORIES = List.of("0000", "0001", "01ff", "0200", "0257");
  private static final List<String> NAMESPACES = List.of("", "ns/a", "ns/b");
  private static final Instant FIRST = Instant.parse("2020-01-01T00:00:00Z");

  private final Path base;
  private final Path journal;
  private final Random seeds;
  private final List<Group> groups = new ArrayList<>();
  private final AtomicLong backups = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong pruned = new AtomicLong();
  private final AtomicLong moved = new AtomicLong();
  private final AtomicLong touched = new AtomicLong();
  private volatile boolean working;
  private int writers;
  private @Nullable FileChannel lockFile;
  private @Nullable FileLock held;

  /** What one writer backs up. */
  private static final class Group {
    final ReentrantLock lock = new ReentrantLock();
    final String name;
    String namespace = "";
    List<Integer> last = List.of();
    int snapshots;

    Group(String name) {
      this.name = name;
    }
  }

  private StressWriter(Path base, Path journal, int first, int count) {
    this.base = base;
    this.journal = journal;
    this.seeds = new Random(first);
    for (int i = first; i < first + count; i++) {
      groups.add(new Group("vm/" + i));
    }
  }

  /** Returns a digest by its number. */
  static byte[] digest(int number) {
    byte[] digest = IndexWriter.digest(number);
    byte[] prefix = HexFormat.of().parseHex(DIRECTORIES.get(number % DIRECTORIES.size()));
    System.arraycopy(prefix, 0, digest, 0, prefix.length);
    return digest;
  }

  /** Returns the path of a chunk below {@code .chunks}. */
  static String name(byte[] digest) {
    String hex = HexFormat.of().formatHex(digest);
    return hex.substring(0, 4) + "/" + hex;
  }

  static void makeStore(Path base) throws IOException {
    for (String directory : DIRECTORIES) {
      Files.createDirectories(base.resolve(".chunks").resolve(directory));
    }
    for (String namespace : NAMESPACES) {
      Files.createDirectories(base.resolve(namespace).resolve("vm"));
    }
    Files.createFile(base.resolve(".lock"));
  }

  /** Works on the store of the arguments: directory, journal, number of the first group, count. */
  public static void main(String[] arguments) throws Exception {
    new StressWriter(
            Path.of(arguments[0]),
            Path.of(arguments[1]),
            Integer.parseInt(arguments[2]),
            Integer.parseInt(arguments[3]))
        .serve();
  }

  private void serve() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(groups.size() + 1)) {
      List<Future<?>> work = new ArrayList<>();
      for (int letter = System.in.read(); letter >= 0; letter = System.in.read()) {
        if (letter == 'R') {
          working = true;
          for (Group group : groups) {
            long seed = seeds.nextLong();
            work.add(pool.submit(() -> backUp(group, new Random(seed))));
          }
          long seed = seeds.nextLong();
          work.add(pool.submit(() -> prune(new Random(seed))));
        } else if (letter == 'S') {
          working = false;
          for (Future<?> future : work) {
            future.get();
          }
          work.clear();
          System.out.printf(
              "%d %d %d %d %d%n",
              backups.get(), failed.get(), pruned.get(), moved.get(), touched.get());
          System.out.flush();
        }
      }
    }
  }

  private Path path(Group group) {
    return base.resolve(group.namespace).resolve(group.name);
  }

  private @Nullable Void backUp(Group group, Random random) throws IOException {
    try (SystemCalls calls = Posix.open()) {
      int done = 0;
      do {
        group.lock.lock();
        try {
          lock();
          try {
            backUp(calls, group, random);
          } finally {
            unlock();
          }
          while (snapshots(group).size() > MOST_SNAPSHOTS) {
            prune(group, random);
          }
        } finally {
          group.lock.unlock();
        }
      } while (working && ++done < MOST_BACKUPS);
    }
    return null;
  }

  /* One lock of the process, held while any of its writers is at work, as in the server. */
  private synchronized void lock() throws IOException {
    if (writers++ == 0) {
      FileChannel file = lockFile;
      if (file == null) {
        file =
            FileChannel.open(
                base.resolve(".lock"), StandardOpenOption.READ, StandardOpenOption.WRITE);
        lockFile = file;
      }
      held = file.lock(0, Long.MAX_VALUE, true);
    }
  }

  private synchronized void unlock() throws IOException {
    FileLock lock = held;
    if (--writers == 0 && lock != null) {
      lock.release();
      held = null;
    }
  }

  private void backUp(SystemCalls calls, Group group, Random random) throws IOException {
    Path snapshot = path(group).resolve(FIRST.plus(Duration.ofDays(group.snapshots++)).toString());
    Files.createDirectories(snapshot);
    List<Integer> chunks = new ArrayList<>();
    int count = 2 + random.nextInt(6);
    while (chunks.size() < count) {
      if (!group.last.isEmpty() && random.nextInt(3) == 0) {
        chunks.add(group.last.get(random.nextInt(group.last.size())));
        continue;
      }
      LockSupport.parkNanos(random.nextInt(PAUSE_NANOS));
      int number = random.nextInt(CHUNKS);
      if (!insert(calls, number)) {
        failed.incrementAndGet();
        Files.delete(snapshot);
        return;
      }
      chunks.add(number);
    }
    Path temporary = snapshot.resolve("disk.tmp_fidx");
    IndexWriter.fixed(
        temporary, chunks.stream().map(StressWriter::digest).toList(), IndexWriter.CHUNK_BYTES);
    Files.move(temporary, snapshot.resolve("disk.fidx"), StandardCopyOption.ATOMIC_MOVE);
    Files.write(snapshot.resolve("index.json.blob"), "{}".getBytes(US_ASCII));
    group.last = chunks;
    backups.incrementAndGet();
  }

  /** Inserts a chunk; false when it was there a moment ago, and is not now. */
  private boolean insert(SystemCalls calls, int number) throws IOException {
    Path chunk = base.resolve(".chunks").resolve(name(digest(number)));
    byte[] name = FileName.encode(chunk.toString());
    if (calls.statx(Open.AT_FDCWD, name, 0, new FileStatus()) == 0) {
      int result = calls.utimensat(Open.AT_FDCWD, name, Open.AT_SYMLINK_NOFOLLOW);
      if (result < 0 && result != -Errno.ENOENT) {
        throw new IOException("touch: " + Errno.name(-result));
      }
      touched.incrementAndGet();
      return result == 0;
    }
    Path temporary =
        Path.of(
            chunk
                + ".tmp_"
                + ProcessHandle.current().pid()
                + "_"
                + Thread.currentThread().threadId());
    Files.write(temporary, new byte[100]);
    Files.move(temporary, chunk, StandardCopyOption.ATOMIC_MOVE);
    return true;
  }

  private @Nullable Void prune(Random random) throws IOException {
    try (SystemCalls calls = Posix.open()) {
      do {
        Group group = groups.get(random.nextInt(groups.size()));
        if (random.nextInt(4) > 0) {
          prune(group, random);
        } else if (group.lock.tryLock()) {
          try {
            synchronized (group) {
              move(calls, group, NAMESPACES.get(random.nextInt(NAMESPACES.size())));
            }
          } finally {
            group.lock.unlock();
          }
        }
        LockSupport.parkNanos(200_000);
      } while (working);
    }
    return null;
  }

  private List<Path> snapshots(Group group) throws IOException {
    Path directory = path(group);
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> listed = Files.list(directory)) {
      return listed.sorted().toList();
    }
  }

  private void prune(Group group, Random random) throws IOException {
    synchronized (group) {
      pruneAlone(group, random);
    }
  }

  private void pruneAlone(Group group, Random random) throws IOException {
    List<Path> snapshots = snapshots(group);
    int last = snapshots.size() - 1;
    while (last >= 0 && !Files.exists(snapshots.get(last).resolve("index.json.blob"))) {
      last--;
    }
    if (last > 0) {
      Path snapshot = snapshots.get(random.nextInt(last));
      for (String name : List.of("index.json.blob", "disk.fidx")) {
        Files.deleteIfExists(snapshot.resolve(name));
      }
      Files.delete(snapshot);
      pruned.incrementAndGet();
    }
  }

  /* The paths are in the journal before the group is there. */
  private void move(SystemCalls calls, Group group, String namespace) throws IOException {
    Path from = path(group);
    Path to = base.resolve(namespace).resolve(group.name);
    if (from.equals(to) || !Files.isDirectory(from) || Files.exists(to)) {
      return;
    }
    StringBuilder lines = new StringBuilder();
    try (Stream<Path> snapshots = Files.list(from)) {
      snapshots.forEach(
          snapshot ->
              lines.append(to.resolve(snapshot.getFileName()).resolve("disk.fidx")).append('\n'));
    }
    byte[] bytes = lines.toString().getBytes(US_ASCII);
    int fd = calls.openat(Open.AT_FDCWD, FileName.encode(journal.toString()), Open.O_RDWR, 0);
    try {
      if (fd < 0 || calls.flock(fd, Open.LOCK_EX | Open.LOCK_NB) < 0) {
        return;
      }
      if (calls.pwrite(fd, bytes, bytes.length, Files.size(journal)) != bytes.length) {
        throw new IOException("journal");
      }
    } finally {
      calls.close(fd);
    }
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    group.namespace = namespace;
    moved.incrementAndGet();
  }
}
