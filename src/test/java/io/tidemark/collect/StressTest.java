package io.tidemark.collect;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.tidemark.guard.Tripwires;
import io.tidemark.guard.Wire;
import io.tidemark.report.Point;
import io.tidemark.report.Points;
import io.tidemark.report.StopToken;
import io.tidemark.store.PbsHost;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Eight writers in other processes, and collections beside them: no snapshot loses a chunk. */
class StressTest {
  /*
   * A round: every chunk looks old; the writers go to work, a collection runs beside them and pauses
   * now and then where somebody may come between; the writers end what they do, and every index
   * file that is there is read, and every chunk of it looked for. A chunk touched by a writer may
   * have any age the round before; in the round nobody makes it look older than it is.
   */
  private static final Set<Point> PAUSES =
      EnumSet.of(
          Point.DISCOVERED,
          Point.GROUP_LISTED,
          Point.INDEX_READ,
          Point.BEFORE_JOURNAL,
          Point.MARKED,
          Point.BEFORE_REMOVAL,
          Point.SET_ASIDE,
          Point.BEFORE_UNLINK);

  private static final int FAILED = 1;
  private static final int PROCESSES = 2;
  private static final int WRITERS = 4;
  private static final List<Strategy> STRATEGIES = List.of(Strategy.values());

  @TempDir private Path temporary;
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.tidemark");
  private final List<Process> processes = new ArrayList<>();
  private final List<BufferedReader> answers = new ArrayList<>();
  private final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
  private final AtomicLong putBack = new AtomicLong();
  private final long[] counts = new long[5];
  private Path root;
  private Path base;
  private Path journal;
  private PbsHost host;
  private long removed;

  @BeforeEach
  void start() throws IOException {
    logger.setLevel(Level.OFF);
    root = ModelRuns.inMemory(temporary).resolveSibling("tidemark-stress-" + pid());
    base = root.resolve("store");
    host =
        new PbsHost(
            root.resolve("datastore.cfg").toString(),
            root.resolve("run").toString(),
            root.resolve("tasks").toString());
    journal = root.resolve("run/locks/store/move-journal");
    StressWriter.makeStore(base);
    Files.createDirectories(journal.getParent());
    Files.createFile(journal);
    StringBuilder tasks = new StringBuilder();
    for (int i = 0; i < PROCESSES; i++) {
      Process process = startWriter(i * WRITERS);
      processes.add(process);
      answers.add(process.inputReader());
      tasks.append(
          "UPID:pbs:%08X:0000A1B2:00000003:%08X:backup:store:root@pam:%n"
              .formatted(process.pid(), Instant.now().getEpochSecond()));
    }
    Files.createDirectories(root.resolve("tasks"));
    Files.writeString(root.resolve("tasks/active"), tasks);
  }

  private static long pid() {
    return ProcessHandle.current().pid();
  }

  private Process startWriter(int firstGroup) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            StressWriter.class.getName(),
            base.toString(),
            journal.toString(),
            Integer.toString(firstGroup),
            Integer.toString(WRITERS))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @AfterEach
  void end() throws IOException {
    for (Process process : processes) {
      process.destroyForcibly();
      process.onExit().join();
    }
    logger.setLevel(null);
    StoreFixture.unchecked(
        () -> {
          try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.sorted(java.util.Comparator.reverseOrder()).toList()) {
              Files.delete(path);
            }
          }
        });
  }

  @Test
  @Timeout(300)
  void writersInOtherProcesses_200Rounds_loseNothing() throws IOException {
    run(200);
  }

  @Test
  @Tag("slow")
  void writersInOtherProcesses_10000Rounds_loseNothing() throws IOException {
    run(10_000);
  }

  private void run(int rounds) throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < rounds; round++) {
      round(random, "round " + round + ", seed " + seed);
    }
    String sums =
        "Stress: %d rounds: %s, %d chunks removed, %d put back; %d backups, %d of them failed, %d snapshots pruned, %d groups moved, %d touches"
            .formatted(
                rounds,
                outcomes,
                removed,
                putBack.get(),
                counts[0],
                counts[1],
                counts[2],
                counts[3],
                counts[4]);
    System.out.println(sums);
    // A group that was moved and moved back is found outside of the live walk, which is a warning.
    assertThat(Set.of(Outcome.DONE, Outcome.WARNINGS)).as(sums).containsAll(outcomes.keySet());
    assertThat(removed).as(sums).isGreaterThan(rounds);
    assertThat(putBack.get()).as(sums).isPositive();
    // That an upload fails is chance, the rest is not.
    counts[FAILED] += rounds < 1000 ? 1 : 0;
    assertThat(Arrays.stream(counts)).as(sums).allMatch(count -> count > 0);
  }

  private void round(Random random, String which) throws IOException {
    makeOld();
    Files.write(journal, new byte[0]);
    tell('R');
    LockSupport.parkNanos(random.nextInt(2_000_000));
    Report report = collect(random);
    tell('S');
    Arrays.fill(counts, 0);
    for (BufferedReader answer : answers) {
      String line = answer.readLine();
      assertThat(line).as("answer of a writer in %s", which).isNotNull();
      String[] fields = line.split(" ", -1);
      for (int i = 0; i < counts.length; i++) {
        counts[i] += Long.parseLong(fields[i]);
      }
    }
    assertThat(report.error()).as(which).isEmpty();
    assertThat(report.missing()).as("missing in %s", which).isEmpty();
    outcomes.merge(report.outcome(), 1, Integer::sum);
    removed += report.status().removedChunks();
    assertComplete(which + ", " + report.strategy());
  }

  private void tell(int letter) throws IOException {
    for (Process process : processes) {
      process.getOutputStream().write(letter);
      process.getOutputStream().flush();
    }
  }

  private void makeOld() throws IOException {
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofDays(3)));
    try (Stream<Path> paths = Files.walk(base.resolve(".chunks"))) {
      for (Path chunk : paths.filter(Files::isRegularFile).toList()) {
        Files.getFileAttributeView(chunk, BasicFileAttributeView.class).setTimes(null, old, null);
      }
    }
  }

  private Report collect(Random random) {
    Options options =
        Options.builder(base.toString())
            .host(host)
            .atimeCheck(Options.AtimeCheckMode.SKIP)
            .emptyIndexSet(Options.EmptyIndexSet.ALLOW)
            .strategy(STRATEGIES.get(random.nextInt(STRATEGIES.size())))
            .batchSize(1 + random.nextInt(30))
            .cacheCapacity(random.nextInt(50))
            .workers(1 + random.nextInt(2))
            .graceMinutes(1)
            .tripwires(new Tripwires(OptionalInt.of(100), EnumSet.allOf(Wire.class)))
            .build();
    Points points =
        point -> {
          if (point == Point.BEFORE_PUT_BACK) {
            putBack.incrementAndGet();
          }
          if (PAUSES.contains(point) && ThreadLocalRandom.current().nextInt(6) == 0) {
            LockSupport.parkNanos(400_000);
          }
        };
    return new Collector(
            options,
            Environment.SYSTEM.watchedBy(points),
            ProgressListener.NONE,
            new StopToken(),
            ModelDisk.CHUNK_DIRECTORIES)
        .run();
  }

  /* Reads what is there, and trusts nobody's word. */
  private void assertComplete(String which) throws IOException {
    List<Path> indexes;
    try (Stream<Path> paths = Files.walk(base)) {
      indexes = paths.filter(path -> path.toString().endsWith(".fidx")).toList();
    }
    for (Path index : indexes) {
      byte[] bytes = Files.readAllBytes(index);
      for (int at = 4096; at < bytes.length; at += 32) {
        String name = StressWriter.name(Arrays.copyOfRange(bytes, at, at + 32));
        assertThat(base.resolve(".chunks").resolve(name))
            .as("chunk of %s after %s", index, which)
            .exists();
      }
    }
  }
}
