package io.tidemark.cli;

import static io.tidemark.collect.StoreFixture.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture;
import io.tidemark.collect.StoreFixture.Chunk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.jr.ob.JSON;

/** The search of a removal log as scripts use it. */
class LogCommandTest {
  @TempDir private Path temporary;
  private StoreFixture store;
  private Path file;
  private Chunk first;
  private Chunk second;
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream complained = new ByteArrayOutputStream();

  @BeforeEach
  void make() {
    store = new StoreFixture(temporary);
    file = temporary.resolve("removals.gz");
    store.snapshot(store.chunk(OLD));
    first = store.chunk(OLD);
    second = store.chunk(OLD);
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
    int status =
        Main.execute(
            "gc",
            store.base.toString(),
            "--no-atime-safety-check",
            "--removal-log=" + file,
            "--pbs-config=" + store.host.configuration(),
            "--pbs-run=" + store.host.run(),
            "--pbs-tasks=" + store.host.tasks());
    assertThat(status).isZero();
  }

  @AfterEach
  void close() {
    System.setOut(out);
    System.setErr(err);
    store.close();
  }

  private List<String> log(String... arguments) {
    List<String> line = new ArrayList<>(List.of("log", file.toString()));
    line.addAll(List.of(arguments));
    printed.reset();
    assertThat(Main.execute(line.toArray(String[]::new))).isZero();
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void log_everything_aLineARemoval() {
    assertThat(log()).hasSize(2).allMatch(line -> line.contains(" removed "));
  }

  @Test
  void log_digestPrefixes_onlyThose() {
    List<String> lines = log(first.digest().substring(0, 10).toUpperCase(Locale.ROOT));

    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst()).contains(" removed " + first.digest() + " 100 ");
    assertThat(log(first.digest(), second.digest())).hasSize(2);
    assertThat(log("0".repeat(64))).isEmpty();
  }

  @Test
  void log_betweenTimes_onlyThose() {
    assertThat(log("--since=2020-01-01")).hasSize(2);
    assertThat(log("--since=2100-01-01")).isEmpty();
    assertThat(log("--until=2020-01-01T00:00:00+02:00")).isEmpty();
    assertThat(log("--since=2020-01-01", "--until=2100-01-01T00:00:00Z")).hasSize(2);
  }

  @Test
  void log_ofARun_onlyThatOne() {
    String line = log().getFirst();
    String run = line.substring(line.lastIndexOf(' ') + 1);

    assertThat(log("--run=" + run)).hasSize(2);
    assertThat(log("--run=19990101")).isEmpty();
  }

  @Test
  void log_json_anObjectALine() throws IOException {
    assertThat(JSON.std.mapFrom(log("--json", second.digest()).getFirst()))
        .containsEntry("fate", "removed")
        .containsEntry("digest", second.digest())
        .containsEntry("bytes", 100)
        .containsEntry("used", store.now.minus(OLD).toString())
        .containsEntry("store", store.base.toString())
        .containsKeys("time", "run", "name");
  }

  @Test
  void log_cutOff_printsTheRestAndSaysSo() throws IOException {
    Files.write(file, new byte[] {31, (byte) 0x8b, 8}, StandardOpenOption.APPEND);

    assertThat(Main.execute("log", file.toString())).isEqualTo(1);

    assertThat(complained.toString(StandardCharsets.UTF_8))
        .contains(file.toString(), "3 bytes from byte", "cut off");
  }

  @Test
  void log_missing_statusThree() {
    assertThat(Main.execute("log", temporary.resolve("none").toString())).isEqualTo(3);
    assertThat(complained.toString(StandardCharsets.UTF_8)).contains("none").hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"xyz", "--since=yesterday", "--until=10:00"})
  void usage_wrongValue_statusTwo(String argument) {
    assertThat(Main.execute("log", file.toString(), argument)).isEqualTo(2);
    assertThat(complained.toString(StandardCharsets.UTF_8))
        .startsWith("tidemark: ")
        .hasLineCount(1);
  }
}
