package io.tidemark.cli;

import io.tidemark.collect.PlanReport;
import io.tidemark.plan.Advice;
import io.tidemark.plan.Basis;
import io.tidemark.plan.Estimate;
import io.tidemark.plan.Forecast;
import io.tidemark.plan.Interval;
import io.tidemark.plan.Lengths;
import io.tidemark.plan.Measure;
import io.tidemark.plan.Rates;
import io.tidemark.report.HumanBytes;
import io.tidemark.report.Span;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes a plan for people: what there is, on what that rests, how long a collection takes. */
final class PlanText {
  private static final int LABEL = 26;

  private final List<String> lines = new ArrayList<>();
  private final PlanReport report;

  private PlanText(PlanReport report) {
    this.report = report;
  }

  /** Returns the lines. */
  static List<String> lines(PlanReport report) {
    PlanText text = new PlanText(report);
    text.head();
    text.figures();
    text.durations();
    text.advice();
    return List.copyOf(text.lines);
  }

  private void head() {
    row("Datastore", report.store() + " on " + report.fileSystem());
    row(
        "A collection begun at",
        Instant.ofEpochSecond(report.atSeconds())
            + ", keeping what was used in the "
            + Span.format(report.atSeconds() - report.minimumAtimeSeconds())
            + " before");
    row(
        "Index files",
        "%d with %d references, %s"
            .formatted(
                report.indexes().files(),
                report.indexes().references(),
                HumanBytes.format(report.indexes().bytes())));
    report
        .last()
        .ifPresent(
            last ->
                row(
                    "Last collection",
                    "ended %s, left %d unused chunks pending (%s)"
                        .formatted(
                            Instant.ofEpochSecond(last.endSeconds()),
                            last.pendingChunks(),
                            HumanBytes.format(last.pendingBytes()))));
    row("These figures rest on", basis());
    lines.add("");
  }

  private String basis() {
    PlanReport.Looked looked = report.looked();
    String part =
        "%d of %d directories, %d chunks in them"
            .formatted(looked.visited(), looked.directories(), looked.chunks());
    return switch (report.basis()) {
      case EVERYTHING -> "all index files and all chunks";
      case REFERENCES -> "all index files, and " + part;
      case ACCESS_TIMES ->
          "access times in " + part + "; the index files take longer than the time given";
    };
  }

  private void figures() {
    figure("Chunks", Measure.PRESENT);
    if (report.basis() != Basis.ACCESS_TIMES) {
      figure("Garbage, freed now", Measure.FREED);
      figure("Garbage, pending", Measure.PENDING);
      untilWhen("all pending can go", "");
    } else {
      byAccessTimes();
    }
    report.missing().ifPresent(missing -> row("Missing chunks", Long.toString(missing)));
    if (!report.estimate(Measure.PRESENT).share().isExact() || !isExact()) {
      lines.add("");
      lines.add("Ranges are 95 % confidence intervals of the sample.");
    }
    lines.add("");
  }

  private boolean isExact() {
    return report.estimate(Measure.PRESENT).chunks().isExact();
  }

  private void byAccessTimes() {
    figure("Freed now, at most", Measure.OLD);
    if (report.estimates().containsKey(Measure.UNMARKED)) {
      figure("Freed now, at least", Measure.UNMARKED);
      figure("Pending, at least", Measure.UNMARKED_YOUNG);
      untilWhen("these can go", "");
      lines.add("");
      lines.add(
          "At most: no chunk goes that was used since the cutoff. At least: the last collection"
              + " touched all");
      lines.add(
          "chunks in use when it began, so what was not used since is garbage. What was pruned"
              + " since lies between.");
    } else {
      lines.add("");
      lines.add(
          "At most: no chunk goes that was used since the cutoff, but chunks in use are among"
              + " these unless a");
      lines.add(
          "collection touched them since. When the last one began is not known, so there is no"
              + " lower bound.");
    }
    lines.add("More time (--time) or --exact reads the index files, and tells.");
  }

  private void untilWhen(String what, String otherwise) {
    if (!report.pending().isEmpty()) {
      long grace = report.graceSeconds();
      row(
          "",
          "the first from %s on; %s from %s on"
              .formatted(
                  Instant.ofEpochSecond(report.pending().oldest() + grace),
                  what,
                  Instant.ofEpochSecond(report.pending().youngest() + grace)));
    } else if (!otherwise.isEmpty()) {
      row("", otherwise);
    }
  }

  private void figure(String label, Measure measure) {
    Estimate estimate = report.estimate(measure);
    String share = measure == Measure.PRESENT ? "" : percent(estimate.share());
    row(
        label,
        "%s  %s  %s".formatted(number(estimate.chunks()), bytes(estimate.bytes()), share).strip());
  }

  private static String number(Interval interval) {
    return interval.isExact()
        ? "%.0f".formatted(interval.estimate())
        : "%.0f (%.0f to %.0f)"
            .formatted(interval.estimate(), Math.floor(interval.low()), Math.ceil(interval.high()));
  }

  private static String bytes(Interval interval) {
    String estimate = HumanBytes.format(Math.round(interval.estimate()));
    return interval.isExact()
        ? estimate
        : "%s (%s to %s)"
            .formatted(
                estimate,
                HumanBytes.format(Math.round(interval.low())),
                HumanBytes.format(Math.round(interval.high())));
  }

  private static String percent(Interval interval) {
    double share = interval.estimate() * 100;
    return interval.isExact()
        ? String.format(Locale.ROOT, "%.2f %%", share)
        : String.format(
            Locale.ROOT,
            "%.2f %% (%.2f to %.2f)",
            share,
            interval.low() * 100,
            interval.high() * 100);
  }

  private void durations() {
    Rates rates = report.rates();
    lines.add("Expected duration, by rates of this store as of now:");
    for (Forecast forecast : report.forecasts()) {
      lines.add(
          "  %-11s %s to %s"
              .formatted(
                  forecast.strategy(),
                  Lengths.format(forecast.seconds().low()),
                  Lengths.format(forecast.seconds().high())));
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "Measured: %.0f directories/s listed, %.0f chunks/s looked up by digest, %.0f by inode,"
                + " a thread; %s references/s; %.1f threads.",
            1 / rates.secondsAListing(),
            1 / rates.secondsByDigest(),
            1 / rates.secondsByInode(),
            rates.secondsAReference() == 0 ? "no" : "%.0f".formatted(1 / rates.secondsAReference()),
            rates.threads()));
    lines.add(
        rates.isFromMemory()
            ? "All of it came from memory: where that does not hold the rest, it takes longer."
            : String.format(
                Locale.ROOT,
                "%.0f %% of the calls had to wait for the device.",
                100 * Math.min(1, rates.waitsACall())));
    lines.add(
        "A plan writes nothing, so what a touch writes is a guess: up to once more the read.");
    lines.add("");
  }

  private void advice() {
    lines.add("Recommended for tidemark gc:");
    for (Advice advice : report.advice()) {
      lines.add("  %-26s %s".formatted(advice.flag(), advice.reason()));
    }
  }

  private void row(String label, String value) {
    lines.add(("%-" + LABEL + "s%s").formatted(label, value));
  }
}
