package io.tidemark.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.index.IndexWriter;
import io.tidemark.posix.FaultyCalls;
import io.tidemark.posix.Posix;
import io.tidemark.report.Points;
import io.tidemark.report.StopToken;
import io.tidemark.store.CacheSize;
import io.tidemark.store.LogLines;
import io.tidemark.store.PbsHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A real datastore in a temporary directory: verbs to fill it, to collect it and to look at it. */
public final class StoreFixture implements AutoCloseable {
  /*
   * Only the chunk directories that are used exist, and bb9f, where the check of access times puts
   * its chunk. The clock stands at half past a full second, two seconds ago, so that a run starts
   * at exactly now and whatever it touches is younger.
   */

  /** An age at which an unused chunk goes. */
  public static final Duration OLD = Duration.ofDays(3);

  /** An age at which an unused chunk stays for its grace time. */
  public static final Duration YOUNG = Duration.ofHours(3);

  public static final int CHUNK_BYTES = 100;

  private static final Instant MODIFIED = Instant.parse("2025-01-02T03:04:05.678901234Z");

  /** A chunk's digest in hexadecimal, whether or not there is such a chunk. */
  public record Chunk(String digest) {
    public String directory() {
      return digest.substring(0, 4);
    }

    public byte[] bytes() {
      return HexFormat.of().parseHex(digest);
    }
  }

  public final Path base;
  public final PbsHost host;
  public final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(2);
  public final SetClock clock = new SetClock(now.plusMillis(500));
  public final FaultyCalls faults = new FaultyCalls();
  private final SparseDirectories directories = new SparseDirectories();
  private final LogLines log = new LogLines();
  private StopToken stop = new StopToken();
  private Points points = Points.NONE;
  private CacheSize cache = CacheSize.SYSTEM;
  private Map<String, String> remembered = Map.of();
  private int digests;
  private int snapshots;

  public StoreFixture(Path temporary) {
    base = temporary.resolve("store");
    Path server = temporary.resolve("server");
    host =
        new PbsHost(
            server.resolve("datastore.cfg").toString(),
            server.resolve("run").toString(),
            server.resolve("tasks").toString());
    unchecked(
        () -> {
          Files.createDirectories(server);
          Files.createDirectories(base.resolve(".chunks"));
          Files.createFile(base.resolve(".lock"));
        });
    directory("bb9f");
  }

  /** Makes a chunk that was used {@code age} ago. */
  public Chunk chunk(Duration age) {
    return chunk(age, "");
  }

  /** Makes a file of a new digest, such as one with the suffix {@code .0.bad}. */
  public Chunk chunk(Duration age, String suffix) {
    Chunk chunk = missing();
    file(chunk, suffix, age);
    return chunk;
  }

  /** Makes a digest that no file has. */
  public Chunk missing() {
    return new Chunk(HexFormat.of().formatHex(IndexWriter.digest(++digests)));
  }

  /** Makes a digest that no file has, in the given chunk directory. */
  public Chunk missingIn(String directory) {
    return new Chunk(directory + missing().digest().substring(4));
  }

  /** Makes a file of a chunk, with {@code suffix} after the digest. */
  public Path file(Chunk chunk, String suffix, Duration age) {
    return file(chunk.directory(), chunk.digest() + suffix, now.minus(age), CHUNK_BYTES);
  }

  /** Makes any file in a chunk directory. */
  public Path file(String directory, String name, Instant atime, int bytes) {
    directory(directory);
    Path file = base.resolve(".chunks").resolve(directory).resolve(name);
    unchecked(() -> Files.write(file, new byte[bytes]));
    setTime(file, atime);
    return file;
  }

  /** Sets a chunk's access time to the machine's present, as a backup does that finds it. */
  public void touch(Chunk chunk) {
    setTime(path(chunk), Instant.now());
  }

  /** Sets a chunk's access time to {@code age} ago. */
  public void age(Chunk chunk, Duration age) {
    setTime(path(chunk), now.minus(age));
  }

  private static void setTime(Path file, Instant atime) {
    unchecked(
        () ->
            Files.getFileAttributeView(file, BasicFileAttributeView.class)
                .setTimes(FileTime.from(MODIFIED), FileTime.from(atime), null));
  }

  /** Makes a chunk directory, unless it is there. */
  public void directory(String name) {
    directories.add(name);
    unchecked(() -> Files.createDirectories(base.resolve(".chunks").resolve(name)));
  }

  public Path path(Chunk chunk) {
    return path(chunk, "");
  }

  public Path path(Chunk chunk, String suffix) {
    return base.resolve(".chunks").resolve(chunk.directory()).resolve(chunk.digest() + suffix);
  }

  /** Writes an index file, fixed or dynamic by its extension, at {@code name} below the store. */
  public Path index(String name, Chunk... chunks) {
    return index(name, List.of(chunks));
  }

  /** Writes an index file of chunks that may repeat. */
  public Path index(String name, List<Chunk> chunks) {
    Path path = base.resolve(name);
    List<byte[]> bytes = chunks.stream().map(Chunk::bytes).toList();
    if (name.endsWith(".didx")) {
      IndexWriter.dynamic(path, bytes);
    } else {
      IndexWriter.fixed(path, bytes, IndexWriter.CHUNK_BYTES);
    }
    return path;
  }

  /** Makes a finished snapshot of the group vm/100 with one index file, and returns its path. */
  public Path snapshot(Chunk... chunks) {
    Instant time = Instant.parse("2026-01-01T00:00:00Z").plus(Duration.ofDays(snapshots++));
    String name = "vm/100/" + time;
    Path index = index(name + "/disk.fidx", chunks);
    unchecked(() -> Files.createFile(base.resolve(name).resolve("index.json.blob")));
    return index;
  }

  /** Writes the server's {@code datastore.cfg}. */
  public void configure(String text) {
    unchecked(() -> Files.writeString(Path.of(host.configuration()), text));
  }

  /** Returns the options of a run on this store, without the check of access times. */
  public Options options(UnaryOperator<Options.Builder> customisation) {
    Options.Builder builder =
        Options.builder(base.toString()).atimeCheck(Options.AtimeCheckMode.SKIP).host(host);
    return customisation.apply(builder).build();
  }

  /** Returns the machine as a run on this store sees it. */
  public Environment environment() {
    return new Environment(
        () -> directories.around(faults.around(Posix.open())), clock, cache, points);
  }

  /** Lets {@code points} be told of the steps of the runs to come. */
  public void watch(Points points) {
    this.points = points;
  }

  /** Lets runs see a machine that can keep so many bytes of metadata. */
  public void cache(long bytes) {
    cache = type -> bytes;
  }

  /** Asks the run to finish what is in hand and to stop then. */
  public void windDown() {
    stop.windDown();
  }

  /** Forgets the request to stop, and every fault. */
  public void recover() {
    faults.heal();
    stop = new StopToken();
  }

  /** Asks the run to stop. */
  public void stop() {
    stop.request();
  }

  public Report collect() {
    return collect(options -> options);
  }

  public Report collect(Strategy strategy) {
    return collect(options -> options.strategy(strategy));
  }

  /** Collects the store. */
  public Report collect(UnaryOperator<Options.Builder> customisation) {
    return new Collector(options(customisation), environment(), ProgressListener.NONE, stop).run();
  }

  /** Lets the machine work again, with nobody who asks to stop, and collects. */
  public Report collectAgain() {
    recover();
    return collect();
  }

  /** Returns the lines logged since the fixture was made. */
  public List<String> lines() {
    return log.lines();
  }

  /** Returns the names of all regular files in chunk directories, such as {@code abcd/<digest>}. */
  public NavigableSet<String> survivors() {
    NavigableSet<String> found = new TreeSet<>();
    Path chunks = base.resolve(".chunks");
    walk(
        chunks,
        (path, attributes) -> {
          if (attributes.isRegularFile()) {
            found.add(chunks.relativize(path).toString());
          }
        });
    return found;
  }

  /** Expects that of all files in chunk directories just these chunks are left. */
  public void assertSurvivors(Chunk... chunks) {
    assertThat(survivors())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(chunks).map(chunk -> chunk.directory() + "/" + chunk.digest()).toList());
  }

  /** Expects these chunks, and perhaps others, to be there. */
  public void assertExist(Chunk... chunks) {
    for (Chunk chunk : chunks) {
      assertThat(path(chunk)).exists();
    }
  }

  /** Remembers what is in the store: names, sizes, times. */
  public void remember() {
    remembered = picture();
  }

  /** Expects the store to be as it was when it was remembered. */
  public void assertUnchanged() {
    assertThat(picture()).isEqualTo(remembered);
  }

  /*
   * The kernel itself changes the access times of what is read, directories and index files, so
   * those of the chunks alone count.
   */
  private Map<String, String> picture() {
    Map<String, String> picture = new TreeMap<>();
    walk(
        base,
        (path, attributes) -> {
          String name = base.relativize(path).toString();
          boolean file = attributes.isRegularFile();
          picture.put(
              name,
              (file ? "file " : "other ")
                  + attributes.size()
                  + " modified "
                  + attributes.lastModifiedTime()
                  + (file && name.startsWith(".chunks/")
                      ? " used " + attributes.lastAccessTime()
                      : ""));
        });
    return picture;
  }

  /** Returns when a chunk was used last. */
  public Instant used(Chunk chunk) {
    return used(path(chunk));
  }

  /** Returns when a file was used last. */
  public Instant used(Path file) {
    return attributes(file).lastAccessTime().toInstant();
  }

  /** Expects every regular file in chunk directories to have the modification time it got. */
  public void assertModificationTimesKept() {
    for (String name : survivors()) {
      Path path = base.resolve(".chunks").resolve(name);
      assertThat(attributes(path).lastModifiedTime().toInstant()).as(name).isEqualTo(MODIFIED);
    }
  }

  private static BasicFileAttributes attributes(Path path) {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes a file, or a directory with all that is in it. */
  public void remove(String name) {
    Path root = base.resolve(name);
    unchecked(
        () -> {
          try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
              Files.delete(path);
            }
          }
        });
  }

  private interface Visitor {
    void visit(Path path, BasicFileAttributes attributes);
  }

  private static void walk(Path root, Visitor visitor) {
    try (Stream<Path> paths = Files.walk(root)) {
      paths.forEach(path -> visitor.visit(path, attributes(path)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Something that a test does with files. */
  public interface Action {
    void run() throws IOException;
  }

  public static void unchecked(Action action) {
    try {
      action.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    log.close();
  }
}
