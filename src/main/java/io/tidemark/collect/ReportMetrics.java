package io.tidemark.collect;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.tidemark.report.GcStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes the report of a collection as metrics that Prometheus reads, in its text format 0.0.4. */
public final class ReportMetrics {
  /*
   * All are gauges of the last run, which may have failed, with the label "store". When the last
   * success was has to be taken over from the metrics before: alerts rest on it.
   */
  private static final String LAST_SUCCESS = "tidemark_last_success_timestamp_seconds";

  private static final Pattern SUCCESS_LINE =
      Pattern.compile("(?m)^" + LAST_SUCCESS + "\\{.*} (\\S+)$");

  private final Labels store;
  private final List<MetricSnapshot> metrics = new ArrayList<>();

  private ReportMetrics(String store) {
    this.store = Labels.of("store", store);
  }

  /**
   * Returns the text.
   *
   * @param store the path of the store
   * @param before the text of the run before; empty when there is none
   */
  public static String format(Report report, String store, String before) {
    ReportMetrics metrics = new ReportMetrics(store);
    metrics.addTimes(report, before);
    metrics.addStore(report.status());
    metrics.addWork(report);
    return metrics.text();
  }

  private void addTimes(Report report, String before) {
    double ended = seconds(report.ended());
    add("last_run_start_timestamp_seconds", "When it began.", seconds(report.started()));
    add("last_run_end_timestamp_seconds", "When it ended.", ended);
    OptionalDouble success =
        report.outcome().isSuccess() ? OptionalDouble.of(ended) : lastSuccess(before);
    success.ifPresent(
        time ->
            add(
                LAST_SUCCESS.substring("tidemark_".length()),
                "When a collection last ended well.",
                time));
    GaugeSnapshot.Builder outcomes =
        gauge("last_run_outcome", "How it ended: 1 for that outcome, 0 for the others.");
    for (Outcome outcome : Outcome.values()) {
      outcomes.dataPoint(point("outcome", outcome.label(), outcome == report.outcome() ? 1 : 0));
    }
    metrics.add(outcomes.build());
    GaugeSnapshot.Builder phases =
        gauge("last_run_phase_duration_seconds", "How long each phase took.");
    if (!report.phases().isEmpty()) {
      report
          .phases()
          .forEach(phase -> phases.dataPoint(point("phase", phase.name(), phase.seconds())));
      metrics.add(phases.build());
    }
  }

  private void addStore(GcStatus status) {
    count("index_files", "Index files that were read.", status.indexFileCount());
    count("index_data_bytes", "Size of the data that they describe.", status.indexDataBytes());
    count("disk_chunks", "Chunks in use.", status.diskChunks());
    count("disk_bytes", "Size of the chunks in use.", status.diskBytes());
    count("pending_chunks", "Unused chunks that were too young to go.", status.pendingChunks());
    count("pending_bytes", "Their size.", status.pendingBytes());
    count("bad_chunks", "Files set aside as corrupt that stay.", status.stillBad());
    count("removed_chunks", "Chunks that the last run removed.", status.removedChunks());
    count("removed_bytes", "Their size.", status.removedBytes());
    count("removed_bad_chunks", "Corrupt files that the last run removed.", status.removedBad());
  }

  private void addWork(Report report) {
    count("references", "Digests that were read from index files.", report.references());
    count("touched_chunks", "Access times that the last run set.", report.touched());
    count(
        "missing_chunks",
        "Chunks that an index requires and that are gone.",
        report.missingCount());
    count("remove_failures", "Chunks that could not be removed.", report.removeFailures());
    count("warnings", "Warnings of the last run.", report.warningCount());
  }

  private void count(String name, String help, long number) {
    add(name, help, (double) number);
  }

  private void add(String name, String help, double value) {
    metrics.add(gauge(name, help).dataPoint(point(store, value)).build());
  }

  private static GaugeSnapshot.Builder gauge(String name, String help) {
    return GaugeSnapshot.builder().name("tidemark_" + name).help(help);
  }

  private GaugeDataPointSnapshot point(String label, String value, double number) {
    return point(store.merge(Labels.of(label, value)), number);
  }

  private static GaugeDataPointSnapshot point(Labels labels, double value) {
    return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
  }

  private static double seconds(Instant time) {
    return time.toEpochMilli() / 1e3;
  }

  private static OptionalDouble lastSuccess(String before) {
    Matcher line = SUCCESS_LINE.matcher(before);
    if (!line.find()) {
      return OptionalDouble.empty();
    }
    try {
      return OptionalDouble.of(Double.parseDouble(line.group(1)));
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  private String text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create()
          .write(out, new MetricSnapshots(metrics), EscapingScheme.UNDERSCORE_ESCAPING);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a buffer in memory has no errors
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
