package io.tidemark.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.report.DirectoryMap;
import io.tidemark.report.GcStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The text that the textfile collector of Prometheus's node exporter reads. */
class ReportMetricsTest {
  /* The text format 0.0.4, as its documentation has it, with what is written here alone. */
  private static final Pattern LINE =
      Pattern.compile(
          "# (HELP [a-z_:]+ [^\\n]+|TYPE [a-z_:]+ gauge)"
              + "|[a-z_:]+\\{[a-z_]+=\"([^\"\\\\]|\\\\[\"\\\\n])*\""
              + "(,[a-z_]+=\"([^\"\\\\]|\\\\[\"\\\\n])*\")*} -?[0-9]+(\\.[0-9]+)?(E[0-9]+)?");

  private static final String SUCCESS =
      "tidemark_last_success_timestamp_seconds{store=\"/store\"} 1.7672256905E9";

  private static Report report(Outcome outcome) {
    return new Report(
        outcome,
        Optional.empty(),
        new GcStatus(3, 1L << 42, 700, 7, 200, 2, 50, 1, 4, 5, GcStatus.CacheStats.NONE),
        Strategy.ORDERED,
        1024,
        Instant.parse("2026-01-01T00:00:00Z"),
        Instant.parse("2026-01-01T00:01:30.500Z"),
        Optional.empty(),
        Optional.empty(),
        30,
        6,
        0,
        1,
        List.of(),
        1,
        0,
        0,
        0,
        0,
        8,
        List.of(new Report.Phase("mark", 1.5), new Report.Phase("sweep", 0.25)),
        9,
        List.of(),
        new DirectoryMap());
  }

  @Test
  void format_eachLine_isOfTheFormat() {
    assertThat(ReportMetrics.format(report(Outcome.DONE), "/a \"b\"\\c\nd", "").lines())
        .hasSizeGreaterThan(60)
        .allMatch(line -> LINE.matcher(line).matches());
  }

  @Test
  void format_success_hasTheFigures() {
    assertThat(ReportMetrics.format(report(Outcome.WARNINGS), "/store", "").lines())
        .contains(
            "tidemark_last_run_start_timestamp_seconds{store=\"/store\"} 1.7672256E9",
            "tidemark_last_run_end_timestamp_seconds{store=\"/store\"} 1.7672256905E9",
            SUCCESS,
            "tidemark_last_run_outcome{outcome=\"warnings\",store=\"/store\"} 1.0",
            "tidemark_last_run_outcome{outcome=\"failed\",store=\"/store\"} 0.0",
            "tidemark_last_run_phase_duration_seconds{phase=\"sweep\",store=\"/store\"} 0.25",
            "tidemark_index_data_bytes{store=\"/store\"} 4.398046511104E12",
            "tidemark_disk_chunks{store=\"/store\"} 7.0",
            "tidemark_pending_bytes{store=\"/store\"} 50.0",
            "tidemark_removed_chunks{store=\"/store\"} 2.0",
            "tidemark_bad_chunks{store=\"/store\"} 5.0",
            "tidemark_references{store=\"/store\"} 30.0",
            "tidemark_missing_chunks{store=\"/store\"} 1.0",
            "tidemark_remove_failures{store=\"/store\"} 8.0",
            "tidemark_warnings{store=\"/store\"} 9.0");
  }

  @Test
  void format_failureAfterSuccess_keepsTheTimeOfTheSuccess() {
    String before = ReportMetrics.format(report(Outcome.DONE), "/store", "");
    String after = ReportMetrics.format(report(Outcome.BUSY), "/store", before);

    assertThat(after.lines()).contains(SUCCESS);
    assertThat(ReportMetrics.format(report(Outcome.FAILED), "/store", after).lines())
        .contains(SUCCESS);
  }

  @Test
  void format_failureWithoutSuccess_tellsNone() {
    String torn = SUCCESS.substring(0, SUCCESS.length() - 10) + "x";

    assertThat(ReportMetrics.format(report(Outcome.REFUSED), "/store", torn))
        .doesNotContain("last_success")
        .contains("outcome=\"refused\"");
  }
}
