package io.tidemark.cli;

import static io.tidemark.collect.StoreFixture.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture;
import io.tidemark.collect.StoreFixture.Chunk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.jr.ob.JSON;

/** A signal ends the program in order, in less than two seconds. */
class SignalTest {
  @TempDir private Path temporary;

  @ParameterizedTest
  @CsvSource({"TERM,143,immediate", "INT,130,immediate", "TERM,143,deferred"})
  @Timeout(60)
  void signal_inTheMark_programEndsInOrder(String signal, int status, String strategy)
      throws Exception {
    try (StoreFixture store = new StoreFixture(temporary)) {
      Chunk used = store.chunk(OLD);
      Chunk unused = store.chunk(OLD);
      fillWithReferences(store, used);
      Path report = temporary.resolve("report.json");
      Process process = start(store, strategy, report);
      try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
        awaitLine(lines, "Start GC phase1");

        long sent = System.nanoTime();
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
        boolean ended = process.waitFor(30, TimeUnit.SECONDS);
        Duration took = Duration.ofNanos(System.nanoTime() - sent);

        assertThat(ended).isTrue();
        assertThat(process.exitValue()).isEqualTo(status);
        assertThat(took).isLessThan(Duration.ofSeconds(2));
      } finally {
        process.destroyForcibly();
      }
      store.assertSurvivors(used, unused);
      assertThat(JSON.std.mapFrom(Files.readAllBytes(report))).containsEntry("outcome", "stopped");
    }
  }

  /* Forty snapshots share the bytes of one index file: twenty million references in 16 MB. */
  private static void fillWithReferences(StoreFixture store, Chunk used) throws IOException {
    Path index = store.snapshot(Collections.nCopies(1 << 19, used).toArray(Chunk[]::new));
    for (int i = 0; i < 40; i++) {
      Path copy = store.base.resolve("vm/%d/2026-01-01T00:00:00Z/disk.fidx".formatted(200 + i));
      Files.createDirectories(copy.getParent());
      Files.createLink(copy, index);
    }
  }

  /* A shell may have told its children to ignore SIGINT; the program must have it as usual. */
  private static Process start(StoreFixture store, String strategy, Path report)
      throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-Dlogback.configurationFile=logback.xml",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path", "")),
                Main.class.getName(),
                "gc",
                store.base.toString(),
                "--strategy=" + strategy,
                "--cache-capacity=0",
                "--batch-size=64k",
                "--no-atime-safety-check",
                "--report=" + report,
                "--pbs-config=" + store.host.configuration(),
                "--pbs-run=" + store.host.run(),
                "--pbs-tasks=" + store.host.tasks()));
    return new ProcessBuilder(line).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static void awaitLine(BufferedReader lines, String part) throws IOException {
    List<String> seen = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      seen.add(line);
      if (line.contains(part)) {
        return;
      }
    }
    assertThat(seen).as("lines until the program ended").anyMatch(line -> line.contains(part));
  }
}
