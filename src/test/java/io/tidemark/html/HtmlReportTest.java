package io.tidemark.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.Outcome;
import io.tidemark.collect.Report;
import io.tidemark.collect.Strategy;
import io.tidemark.flush.MissingChunks;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.DirectoryMap;
import io.tidemark.report.GcStatus;
import io.tidemark.report.Warning;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** The page that a run leaves for people. */
class HtmlReportTest {
  private static final String DIGEST = "ab12" + "0".repeat(60);
  private static final String EVIL = "/store/<script>alert(\"1\")</script>&'";

  private final DirectoryMap directories = new DirectoryMap();
  private final CallTimes calls = new CallTimes(Posix::open);

  private Report report(Optional<String> error, List<Warning> warnings) {
    return new Report(
        error.isPresent() ? Outcome.FAILED : Outcome.WARNINGS,
        error,
        new GcStatus(3, 1L << 42, 4096, 7000, 2048, 20, 1024, 10, 4, 5, GcStatus.CacheStats.NONE),
        Strategy.ORDERED,
        1024,
        Instant.parse("2026-01-01T00:00:00Z"),
        Instant.parse("2026-01-01T00:01:30Z"),
        Optional.empty(),
        Optional.of(Instant.parse("2025-12-31T00:00:00Z")),
        30_000,
        6000,
        0,
        1,
        List.of(new MissingChunks.Missing(DIGEST, "/store/vm/100/2026/disk.fidx", 0)),
        1,
        0,
        0,
        0,
        0,
        8,
        List.of(new Report.Phase("mark", 10), new Report.Phase("sweep", 2.5)),
        warnings.size(),
        warnings,
        directories);
  }

  @Test
  void format_run_showsFiguresPhasesAndMissing() {
    assertThat(HtmlReport.format(report(Optional.empty(), List.of()), "/store", calls))
        .contains("<span class=\"outcome warnings\">warnings</span>")
        .contains("<b>7,000</b><span class=\"soft\">4 KiB&nbsp;</span>")
        .contains("<td class=\"number\">30,000</td><td class=\"soft\">3,000 a second</td>")
        .contains("<span>sweep</span><div class=\"bar\" style=\"width: 25.0%\">")
        .contains("<td class=\"path\">/store/vm/100/2026</td><td class=\"number\">1</td>")
        .doesNotContain("{{");
  }

  @Test
  void format_textOfOthers_isNoMarkup() {
    List<Warning> warnings = List.of(new Warning("odd", EVIL, EVIL), new Warning("odd", "b", ""));
    assertThat(HtmlReport.format(report(Optional.of(EVIL), warnings), EVIL, calls))
        .doesNotContain("<script>alert")
        .contains("&lt;script&gt;alert(&quot;1&quot;)")
        .contains("<b>odd</b> <span class=\"soft\">2</span>");
  }

  @Test
  void format_directories_areNumbersByPrefix() {
    directories.listed(0x00ff, 300, 5_000_000);
    directories.listed(0xffff, 70_000, 1000);
    directories.removed(0x00ff, 40);
    directories.removed(0x00ff, 2);
    String page = HtmlReport.format(report(Optional.empty(), List.of()), "/store", calls);

    Matcher maps = Pattern.compile("data-numbers=\"([^\"]*)\"").matcher(page);
    assertThat(numbers(maps, 0x00ff, 0xffff)).containsExactly(300, 70_000);
    assertThat(numbers(maps, 0x00ff, 0xffff)).containsExactly(42, 0);
    assertThat(numbers(maps, 0xab12, 0xffff)).containsExactly(1, 0);
    assertThat(numbers(maps, 0x00ff, 0xffff)).containsExactly(5000, 1);
    assertThat(page).contains("2 directories, median 70,000, most 70,000");
  }

  private static int[] numbers(Matcher maps, int... prefixes) {
    assertThat(maps.find()).isTrue();
    byte[] bytes = Base64.getDecoder().decode(maps.group(1).replace("&#x3D;", "="));
    ByteBuffer numbers = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(numbers.remaining()).isEqualTo(4 << 16);
    int[] found = new int[prefixes.length];
    for (int i = 0; i < prefixes.length; i++) {
      found[i] = numbers.getInt(4 * prefixes[i]);
    }
    return found;
  }

  @Test
  void callTimes_callsOfTwoThreads_areAddedUp() {
    try (SystemCalls one = calls.open();
        SystemCalls two = calls.open()) {
      one.geteuid();
      two.geteuid();
      two.geteuid();
      assertThat(two.close(-1)).isNegative();
    }
    assertThat(calls.byCall()).containsOnlyKeys("close", "geteuid");
    assertThat(HtmlReport.format(report(Optional.empty(), List.of()), "/store", calls))
        .contains("<tr><td>geteuid</td><td class=\"number\">3</td>");
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void page_inChromium_drawsWhatThereIs(@TempDir Path temporary)
      throws IOException, InterruptedException {
    directories.listed(7, 3, 1000);
    Path page = temporary.resolve("page.html");
    String text = HtmlReport.format(report(Optional.empty(), List.of()), "/store", calls);
    Files.writeString(page, text);
    Path dom = temporary.resolve("dom");
    Path errors = temporary.resolve("errors");
    ProcessBuilder chromium =
        new ProcessBuilder(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--user-data-dir=" + temporary.resolve("profile"),
                "--enable-logging=stderr",
                "--dump-dom",
                page.toUri().toString())
            .redirectOutput(dom.toFile())
            .redirectError(errors.toFile());
    Process process;
    try {
      process = chromium.start();
    } catch (IOException e) {
      throw new TestAbortedException("there is no chromium here", e);
    }
    assertThat(process.waitFor()).isZero();
    String drawn = Files.readString(dom);
    assertThat(drawn.split("<canvas", -1)).hasSize(4); // nothing was removed
    assertThat(drawn).contains("<div class=\"none soft\">none</div>");
    assertThat(new String(Files.readAllBytes(errors), StandardCharsets.UTF_8))
        .doesNotContain(":CONSOLE");
  }
}
