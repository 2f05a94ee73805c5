package io.tidemark.cli;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.collect.StoreFixture;
import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.collect.Strategy;
import io.tidemark.index.IndexWriter;
import io.tidemark.posix.FileName;
import io.tidemark.posix.Open;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.jr.ob.JSON;

/** The command line as scripts rely on it: arguments, exit statuses, the report. */
class CommandLineTest {
  @TempDir private Path temporary;
  private StoreFixture store;
  private Path report;
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream complained = new ByteArrayOutputStream();

  @BeforeEach
  void make() {
    store = new StoreFixture(temporary);
    report = temporary.resolve("report.json");
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void close() {
    System.setOut(out);
    System.setErr(err);
    store.close();
  }

  private int gc(String... more) {
    return gcOf(store.base, more);
  }

  private int gcOf(Path base, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "gc",
                base.toString(),
                "--no-atime-safety-check",
                "--report=" + report,
                "--pbs-config=" + store.host.configuration(),
                "--pbs-run=" + store.host.run(),
                "--pbs-tasks=" + store.host.tasks()));
    arguments.addAll(List.of(more));
    return Main.execute(arguments.toArray(String[]::new));
  }

  private Map<String, Object> report() throws IOException {
    return JSON.std.mapFrom(Files.readAllBytes(report));
  }

  private String complaint() {
    return complained.toString(StandardCharsets.UTF_8);
  }

  private String print() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  static Stream<String> strategies() {
    return Stream.concat(
        Arrays.stream(Strategy.values()).map(Strategy::label), Stream.of("Immediate"));
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void gc_goodStore_statusZero(String strategy) throws IOException {
    Chunk used = store.chunk(OLD);
    Chunk young = store.chunk(YOUNG);
    store.chunk(OLD);
    store.snapshot(used);

    assertThat(gc("--strategy", strategy)).isZero();

    store.assertSurvivors(used, young);
    assertThat(report())
        .containsEntry("outcome", "done")
        .containsEntry(
            "strategy", strategy.equals("auto") ? "ordered" : strategy.toLowerCase(Locale.ROOT));
    assertThat(store.lines()).last().isEqualTo("TASK OK");
  }

  @Test
  void gc_missingChunk_statusOneAndTheReportNamesIt() throws IOException {
    Chunk missing = store.missing();
    Path index = store.snapshot(store.chunk(OLD), missing);

    assertThat(gc()).isEqualTo(1);

    assertThat(report())
        .containsEntry("outcome", "warnings")
        .containsEntry("error", null)
        .containsEntry(
            "missing-chunks",
            List.of(Map.of("digest", missing.digest(), "index", index.toString())));
    assertThat(store.lines()).last().isEqualTo("TASK WARNINGS: 1");
  }

  @Test
  void gc_outOfTime_statusOneAndTheNextGoesOn() throws IOException {
    Chunk used = store.chunk(OLD);
    Chunk unused = store.chunk(OLD);
    store.snapshot(used);
    Path states = temporary.resolve("states");

    assertThat(gc("--max-duration=0s", "--state-dir=" + states)).isEqualTo(1);

    assertThat(report()).containsEntry("outcome", "stopped").containsEntry("continued-from", null);
    assertThat(store.lines()).last().asString().contains("TASK ERROR: stopped", "--resume");
    assertThat(states).isDirectoryContaining("glob:**.journal");
    store.assertExist(used, unused);

    assertThat(gc("--resume", "--state-dir=" + states)).isZero();

    assertThat(report()).containsEntry("outcome", "done");
    assertThat(report().get("continued-from")).isNotNull();
    assertThat(states).isEmptyDirectory();
    store.assertSurvivors(used);
  }

  @Test
  void gc_outOfTimeInADryRun_leavesNothing() throws IOException {
    store.snapshot(store.chunk(OLD));
    Path states = temporary.resolve("states");
    store.remember();
    assertThat(gc("--max-duration=0s", "--dry-run", "--state-dir=" + states)).isEqualTo(1);
    assertThat(states).doesNotExist();
    store.assertUnchanged();
  }

  @Test
  void gc_corruptIndex_statusThreeAndTheReportSaysWhy() throws IOException {
    Chunk used = store.chunk(OLD);
    Chunk unused = store.chunk(OLD);
    Path index = store.snapshot(used);
    IndexWriter.raw(index, new byte[24]);

    assertThat(gc()).isEqualTo(3);

    store.assertSurvivors(used, unused);
    assertThat(report())
        .containsEntry("outcome", "refused")
        .hasEntrySatisfying(
            "error", error -> assertThat(error).asString().contains(index.toString()));
    assertThat(store.lines()).last().asString().startsWith("TASK ERROR: corrupt index file");
  }

  @Test
  void gc_chunksThatCannotBeRemoved_statusFour() throws Exception {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      files.add(store.path(store.chunk(OLD)).toString());
    }
    store.snapshot(store.chunk(OLD));
    assumeTrue(run("chattr", "+i", files), "the file system must know immutable files");
    try {
      assertThat(gc()).isEqualTo(4);
    } finally {
      run("chattr", "-i", files);
    }
    assertThat(report()).containsEntry("outcome", "failed").containsEntry("removed-chunks", 0);
    assertThat(store.survivors()).hasSize(13);
  }

  private static boolean run(String command, String option, List<String> files)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(command, option));
    line.addAll(files);
    return start(line.toArray(String[]::new)) == 0;
  }

  private static int start(String... line) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(line)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      return 127; // there is no such program
    }
  }

  @Test
  void gc_anotherRunHasTheStore_statusFive() throws IOException {
    store.snapshot(store.chunk(OLD));
    try (SystemCalls other = Posix.open()) {
      int fd =
          other.openat(Open.AT_FDCWD, FileName.encode(store.base.toString()), Open.O_DIRECTORY, 0);
      assertThat(other.flock(fd, Open.LOCK_EX)).isZero();

      assertThat(gc()).isEqualTo(5);

      other.close(fd);
    }
    assertThat(report()).containsEntry("outcome", "busy");
  }

  @Test
  void report_fieldsOfTheStatusFileAndOurs_allThere() throws IOException {
    Chunk used = store.chunk(OLD);
    store.snapshot(used, used);
    store.chunk(OLD);
    store.chunk(YOUNG);

    gc("--strategy=deferred", "--batch-size", "2k", "--atime-cutoff", "24h5m");

    Map<String, Object> fields = report();
    assertThat(fields)
        .containsEntry("upid", null)
        .containsEntry("index-file-count", 1)
        .containsEntry("index-data-bytes", 8 << 20)
        .containsEntry("disk-bytes", StoreFixture.CHUNK_BYTES)
        .containsEntry("disk-chunks", 1)
        .containsEntry("removed-bytes", StoreFixture.CHUNK_BYTES)
        .containsEntry("removed-chunks", 1)
        .containsEntry("pending-bytes", StoreFixture.CHUNK_BYTES)
        .containsEntry("pending-chunks", 1)
        .containsEntry("removed-bad", 0)
        .containsEntry("still-bad", 0)
        .containsEntry("cache-stats", Map.of("hits", 1, "misses", 1))
        .containsEntry("batch-size", 2048)
        .containsEntry("references", 2)
        .containsEntry("touched", 1)
        .containsEntry("missing-chunks", List.of())
        .containsEntry("flushes", 1)
        .containsEntry("directories-warmed", 1)
        .containsEntry("directories-already-warm", 0)
        .containsEntry("warnings", List.of());
    Instant started = Instant.parse((String) fields.get("started"));
    assertThat(Instant.parse((String) fields.get("ended"))).isAfterOrEqualTo(started);
    assertThat(Instant.parse((String) fields.get("minimum-atime")))
        .isBefore(started.minusSeconds(86_699))
        .isAfter(started.minusSeconds(86_760));
    List<String> phases = new ArrayList<>();
    for (Object phase : (List<?>) Objects.requireNonNull(fields.get("phases"))) {
      phases.add(String.valueOf(((Map<?, ?>) phase).get("name")));
    }
    assertThat(phases).containsExactly("look", "check", "mark", "sweep");
  }

  @Test
  void dryRun_goodStore_countsAndChangesNothing() throws IOException {
    store.snapshot(store.chunk(OLD));
    store.chunk(OLD);
    store.remember();

    assertThat(gc("--dry-run")).isZero();

    store.assertUnchanged();
    assertThat(report()).containsEntry("removed-chunks", 1).containsEntry("touched", 0);
  }

  @Test
  void dryRun_readOnlyMount_countsAllTheSame() throws Exception {
    store.snapshot(store.chunk(OLD));
    store.chunk(OLD);
    Path mount = Files.createDirectory(temporary.resolve("mount"));
    assumeTrue(
        start("mount", "--bind", store.base.toString(), mount.toString()) == 0,
        "mounting takes root");
    try {
      assumeTrue(start("mount", "-o", "remount,bind,ro", mount.toString()) == 0, "and a kernel");

      assertThat(gcOf(mount, "--dry-run")).isZero();
      assertThat(report()).containsEntry("removed-chunks", 1);

      assertThat(gcOf(mount)).isEqualTo(3);
      assertThat(report().get("error")).asString().contains("EROFS");
    } finally {
      start("umount", mount.toString());
    }
  }

  @Test
  void allowEmpty_noIndex_oldChunksGo() {
    store.chunk(OLD);

    assertThat(gc()).isEqualTo(3);
    assertThat(store.survivors()).hasSize(1);
    assertThat(gc("--allow-empty")).isZero();
    assertThat(store.survivors()).isEmpty();
  }

  @Test
  void tripwires_tripped_statusThreeUntilEachIsOverridden() throws IOException {
    List<Chunk> required = new ArrayList<>();
    for (int i = 0; i < 210; i++) {
      required.add(i < 60 ? store.missingIn("0a0a") : store.chunk(OLD));
    }
    store.snapshot(required.subList(0, 100).toArray(Chunk[]::new));
    Files.writeString(store.base.resolve(".gc-status"), "{\"index-file-count\":10}");

    assertThat(gc()).isEqualTo(3);
    assertThat(report().get("error")).asString().contains("--allow-fewer-indexes");
    assertThat(gc("--allow-fewer-indexes")).isEqualTo(3);
    assertThat(report().get("error"))
        .asString()
        .contains("--max-removal 100 --allow-missing --allow-uneven");
    assertThat(report()).containsEntry("outcome", "refused").containsEntry("removed-chunks", 0);
    assertThat(store.survivors()).hasSize(150);

    assertThat(gc("--allow-fewer-indexes", "--max-removal=74", "--allow-missing", "--allow-uneven"))
        .isEqualTo(1);
    assertThat(store.survivors()).hasSize(40);
  }

  @Test
  void safetyCheck_notSwitchedOff_runsAndLeavesItsChunk() {
    Chunk used = store.chunk(OLD);
    store.snapshot(used);

    int status =
        Main.execute(
            "gc",
            store.base.toString(),
            "--pbs-config=" + store.host.configuration(),
            "--pbs-run=" + store.host.run(),
            "--pbs-tasks=" + store.host.tasks());

    assertThat(status).isZero();
    assertThat(store.lines()).contains("Access time update check successful, proceeding with GC.");
    assertThat(store.survivors()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--batch-size=0 | batch size",
        "--batch-size=129M | batch size",
        "--batch-size=ten | ten",
        "--batch-size=-1 | -1",
        "--cache-capacity=9M | cache capacity",
        "--cache-capacity=1.5 | 1.5",
        "--atime-cutoff=0 | cutoff",
        "--atime-cutoff=2881 | cutoff",
        "--atime-cutoff=90s | 90s",
        "--atime-cutoff=1w | 1w",
        "--workers=0 | 0",
        "--workers=257 | workers",
        "--workers=many | many",
        "--strategy=fast | fast",
        "--rewarm=sometimes | sometimes",
        "--memory=1k | memory",
        "--memory=much | much",
        "--window=0 | 0",
        "--window=wide | wide",
        "--touch-if-older=1h | ordered",
        "--touch-if-older=old | old",
        "--max-removal=101 | 101",
        "--max-removal=-1 | -1",
        "--max-removal=half | half",
        "--lock=none | none",
        "--wait=soon | soon",
        "--report=/no/such/folder/r.json | /no/such/folder/r.json",
        "--no-such-option | --no-such-option",
        "another-store | another-store"
      })
  void usage_wrongValue_oneLineAndStatusTwo(String argument, String named) {
    store.chunk(OLD);
    store.remember();

    assertThat(Main.execute("gc", store.base.toString(), argument)).isEqualTo(2);

    assertThat(complaint())
        .startsWith("tidemark: ")
        .contains(named, "nothing was done", "tidemark gc --help")
        .hasLineCount(1);
    store.assertUnchanged();
  }

  @Test
  void usage_emergencyAndDryRun_statusTwo() {
    assertThat(gc("--emergency", "--dry-run")).isEqualTo(2);
    assertThat(complaint()).contains("--dry-run needs no --emergency").hasLineCount(1);
  }

  @Test
  void emergency_goodStore_collectsWithoutATouch() throws IOException {
    Chunk used = store.chunk(OLD);
    Chunk young = store.chunk(YOUNG);
    store.chunk(OLD);
    store.snapshot(used);

    assertThat(gc("--emergency")).isZero();

    store.assertSurvivors(used, young);
    assertThat(store.used(used)).isEqualTo(store.now.minus(OLD));
    assertThat(report()).containsEntry("removed-chunks", 1).containsEntry("touched", 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "gc", "sweep", "gc --batch-size"})
  void usage_incomplete_oneLineAndStatusTwo(String line) {
    assertThat(Main.execute(line.isEmpty() ? new String[0] : line.split(" ", -1))).isEqualTo(2);
    assertThat(complaint()).startsWith("tidemark: ").contains("--help").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--help | gc",
        "gc --help | --batch-size",
        "gc --help | Exit status",
        "log --help | --since",
        "demo --help | temporary",
        "--version | tidemark",
        "gc --version | tidemark"
      })
  void help_asked_printedWithStatusZero(String line, String expected) {
    assertThat(Main.execute(line.split(" ", -1))).isZero();
    assertThat(print()).contains(expected);
    assertThat(complaint()).isEmpty();
  }

  /* Long options in kebab case, as the documents name them. */
  @Test
  void help_ofGc_namesEveryOption() {
    Main.execute("gc", "--help");
    assertThat(print())
        .contains(
            "--strategy",
            "--batch-size",
            "--cache-capacity",
            "--atime-cutoff",
            "--no-atime-safety-check",
            "--workers",
            "--rewarm",
            "--memory",
            "--spill-dir",
            "--window",
            "--touch-if-older",
            "--dry-run",
            "--report",
            "--allow-empty",
            "--emergency",
            "--removal-log",
            "--max-removal",
            "--allow-fewer-indexes",
            "--allow-missing",
            "--allow-uneven",
            "--lock")
        .doesNotContain("--pbs-");
  }

  @Test
  void demo_run_collectsASampleAndLeavesNothing() {
    assertThat(Main.execute("demo")).isZero();
    assertThat(print()).contains("Made a datastore in", "Collected:");
    Path sample = Path.of(print().split(" ", -1)[4].replace(":", ""));
    assertThat(sample).doesNotExist();
  }

  @Test
  void report_cannotBeWritten_warningAfterAGoodRun() throws IOException {
    store.snapshot(store.chunk(OLD));
    Files.createDirectory(temporary.resolve("report.json.tmp"));

    assertThat(gc()).isEqualTo(1);

    assertThat(report).doesNotExist();
    assertThat(store.lines()).anyMatch(line -> line.contains("cannot write the report"));
  }

  @Test
  void store_relativePath_isFoundFromTheWorkingDirectory() {
    Path relative = Path.of("").toAbsolutePath().relativize(store.base);
    store.snapshot(store.chunk(OLD));

    assertThat(gcOf(relative)).isZero();
  }
}
