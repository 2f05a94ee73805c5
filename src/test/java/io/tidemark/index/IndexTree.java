package io.tidemark.index;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.posix.FaultyCalls;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import io.tidemark.store.PbsHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.slf4j.LoggerFactory;

/** A datastore's index files in a temporary directory, and what a mark of them gave. */
final class IndexTree implements AutoCloseable {
  final Path base;
  final PbsHost host;
  final FaultyCalls faults = new FaultyCalls();
  final StopToken stop = new StopToken();
  final RunLog log = new RunLog();
  final List<Integer> owners = new ArrayList<>();

  private final Path run;
  private final SystemCalls posix = Posix.open();
  private UnaryOperator<SystemCalls> decorator = calls -> calls;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<Integer> marked = new ArrayList<>();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  IndexTree(Path directory) {
    base = directory.resolve("store");
    run = directory.resolve("run");
    host = new PbsHost("", run.toString(), "");
    mkdir("");
    lines.start();
    logger().setLevel(Level.INFO);
    logger().setAdditive(false);
    logger().addAppender(lines);
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger("io.tidemark");
  }

  /** Puts something else around the system calls. */
  void decorate(UnaryOperator<SystemCalls> around) {
    decorator = around;
  }

  /** Writes an index file, fixed or dynamic by its extension, with the chunks of these numbers. */
  Path index(String name, int... chunks) {
    Path path = base.resolve(name);
    List<byte[]> digests = Arrays.stream(chunks).mapToObj(this::digest).toList();
    if (name.endsWith(".didx")) {
      IndexWriter.dynamic(path, digests);
    } else {
      IndexWriter.fixed(path, digests, IndexWriter.CHUNK_BYTES);
    }
    return path;
  }

  /** Writes a finished snapshot of one index file, {@code disk.fidx}. */
  void finished(String snapshot, int... chunks) {
    index(snapshot + "/disk.fidx", chunks);
    write(snapshot + "/index.json.blob", "");
  }

  byte[] digest(int chunk) {
    byte[] digest = IndexWriter.digest(chunk);
    numbers.put(HexFormat.of().formatHex(digest), chunk);
    return digest;
  }

  Path mkdir(String name) {
    return unchecked(() -> Files.createDirectories(base.resolve(name)));
  }

  Path link(String name, Path target) {
    Path link = base.resolve(name);
    return unchecked(
        () -> {
          Files.createDirectories(link.getParent());
          return Files.createSymbolicLink(link, target);
        });
  }

  void write(String name, String content) {
    IndexWriter.raw(base.resolve(name), content.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  void delete(String name) {
    deleteAll(base.resolve(name));
  }

  private static void deleteAll(Path root) {
    unchecked(
        () -> {
          try (var paths = Files.walk(root)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
              Files.delete(path);
            }
          }
          return root;
        });
  }

  /** Returns a path below the directory in which PBS keeps the locks of this datastore. */
  Path lock(String name) {
    Path path = run.resolve("locks/store").resolve(name);
    return unchecked(
        () -> {
          Files.createDirectories(path.getParent());
          return path;
        });
  }

  Path run(String name) {
    return run.resolve(name);
  }

  SystemCalls calls() {
    return decorator.apply(faults.around(posix));
  }

  IndexFiles files() {
    return new IndexFiles(calls(), base.toString(), "store", host, stop, log);
  }

  /** Discovers and marks. */
  IndexTotals mark() {
    IndexFiles files = files();
    files.discover();
    return mark(files);
  }

  IndexTotals mark(IndexFiles files) {
    marked.clear();
    return files.mark(
        owner -> {
          owners.add(owner);
          return this::record;
        });
  }

  private void record(long w0, long w1, long w2, long w3) {
    String hex = "%016x%016x%016x%016x".formatted(w0, w1, w2, w3);
    marked.add(numbers.getOrDefault(hex, -1));
  }

  /** Returns the chunks of the last mark in the order of the marking. */
  List<Integer> marked() {
    return List.copyOf(marked);
  }

  /** Returns the lines logged so far, without the datastore's path. */
  List<String> lines() {
    return lines.list.stream()
        .map(event -> event.getFormattedMessage().replace(base.toString(), "BASE"))
        .toList();
  }

  interface Action {
    Path run() throws IOException;
  }

  static Path unchecked(Action action) {
    try {
      return action.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    logger().detachAppender(lines);
    logger().setLevel(null);
    logger().setAdditive(true);
    posix.close();
  }
}
