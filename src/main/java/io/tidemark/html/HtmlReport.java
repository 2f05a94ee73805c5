package io.tidemark.html;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import io.tidemark.collect.Report;
import io.tidemark.flush.MissingChunks;
import io.tidemark.report.GcStatus;
import io.tidemark.report.HumanBytes;
import io.tidemark.report.Span;
import io.tidemark.report.Warning;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Writes the report of a collection as one page that needs nothing else. */
public final class HtmlReport {
  /*
   * The page is a template without logic, which escapes all that it is given. Names are those of
   * the JSON report where both have the same.
   */
  private static final int SHOWN = 20;
  private static final double MICRO = 1e3;

  private final Report report;
  private final String store;
  private final CallTimes calls;

  private HtmlReport(Report report, String store, CallTimes calls) {
    this.report = report;
    this.store = store;
    this.calls = calls;
  }

  /**
   * Returns the page.
   *
   * @param store the path of the store
   * @param calls what has measured the calls of the run
   */
  public static String format(Report report, String store, CallTimes calls) {
    return template().execute(new HtmlReport(report, store, calls).page());
  }

  private static Template template() {
    try (InputStream in =
            Objects.requireNonNull(HtmlReport.class.getResourceAsStream("report.html"));
        Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
      return Mustache.compiler().defaultValue("").compile(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, Object> page() {
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("store", store);
    page.put("outcome", report.outcome().label());
    page.put("error", report.error().orElse(""));
    page.put("strategy", report.strategy().label());
    page.put("started", report.started().truncatedTo(ChronoUnit.SECONDS));
    page.put("ended", report.ended().truncatedTo(ChronoUnit.SECONDS));
    page.put("lasted", Span.format(Duration.between(report.started(), report.ended()).toSeconds()));
    page.put("tiles", tiles());
    page.put("facts", facts());
    page.put("phases", phases());
    page.put("calls", callRows());
    page.put("maps", new HeatMaps(report).all());
    page.put("warnings", warnings());
    page.put("missing", missing());
    return page;
  }

  private List<Map<String, String>> tiles() {
    GcStatus status = report.status();
    return List.of(
        pair("in use", count(status.diskChunks()), HumanBytes.format(status.diskBytes())),
        pair("removed", count(status.removedChunks()), HumanBytes.format(status.removedBytes())),
        pair("pending", count(status.pendingChunks()), HumanBytes.format(status.pendingBytes())),
        pair("missing", count(report.missingCount()), ""));
  }

  private List<Map<String, String>> facts() {
    GcStatus status = report.status();
    List<Map<String, String>> facts = new ArrayList<>();
    facts.add(pair("index files", count(status.indexFileCount()), ""));
    facts.add(pair("data described", HumanBytes.format(status.indexDataBytes()), ""));
    facts.add(pair("references", count(report.references()), perSecond(report.references())));
    facts.add(pair("access times set", count(report.touched()), perSecond(report.touched())));
    facts.add(pair("corrupt files removed", count(status.removedBad()), ""));
    facts.add(pair("corrupt files left", count(status.stillBad()), ""));
    facts.add(pair("could not be removed", count(report.removeFailures()), ""));
    facts.add(pair("foreign entries", count(report.foreign()), ""));
    report
        .minimumAtime()
        .ifPresent(time -> facts.add(pair("kept when used since", time.toString(), "")));
    return facts;
  }

  /* A rate of the phase "mark", in which both are done. */
  private String perSecond(long number) {
    double seconds =
        report.phases().stream()
            .filter(phase -> phase.name().equals("mark"))
            .mapToDouble(Report.Phase::seconds)
            .sum();
    return seconds > 0 ? count(Math.round(number / seconds)) + " a second" : "";
  }

  /* "walk" and "touch" are parts of the phase "mark". */
  private List<Map<String, String>> phases() {
    double longest = report.phases().stream().mapToDouble(Report.Phase::seconds).max().orElse(0);
    List<Map<String, String>> rows = new ArrayList<>();
    for (Report.Phase phase : report.phases()) {
      Map<String, String> row =
          pair(phase.name(), String.format(Locale.ROOT, "%,.1f s", phase.seconds()), "");
      double width = longest == 0 ? 0 : 100 * phase.seconds() / longest;
      row.put("width", String.format(Locale.ROOT, "%.1f", width));
      rows.add(row);
    }
    return rows;
  }

  private List<Map<String, String>> callRows() {
    List<Map<String, String>> rows = new ArrayList<>();
    calls
        .byCall()
        .forEach(
            (name, times) -> {
              Map<String, String> row = pair(name, count(times.getTotalCount()), "");
              row.put("median", micros(times, 50));
              row.put("p90", micros(times, 90));
              row.put("p99", micros(times, 99));
              row.put("p999", micros(times, 99.9));
              row.put("max", micros(times, 100));
              rows.add(row);
            });
    return rows;
  }

  private static String micros(Histogram times, double percentile) {
    return String.format(Locale.ROOT, "%,.1f", times.getValueAtPercentile(percentile) / MICRO);
  }

  private List<Map<String, Object>> warnings() {
    Map<String, List<Warning>> kinds = new TreeMap<>();
    for (Warning warning : report.warnings()) {
      kinds.computeIfAbsent(warning.id(), id -> new ArrayList<>()).add(warning);
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    kinds.forEach(
        (id, all) ->
            rows.add(
                Map.of(
                    "name",
                    id,
                    "count",
                    count(all.size()),
                    "messages",
                    all.stream().limit(SHOWN).map(Warning::message).toList())));
    return rows;
  }

  /* A snapshot is the folder of its index files. */
  private List<Map<String, String>> missing() {
    Map<String, Integer> snapshots = new TreeMap<>();
    for (MissingChunks.Missing chunk : report.missing()) {
      int end = chunk.index().lastIndexOf('/');
      snapshots.merge(chunk.index().substring(0, Math.max(0, end)), 1, Integer::sum);
    }
    List<Map<String, String>> rows = new ArrayList<>();
    snapshots.forEach((snapshot, chunks) -> rows.add(pair(snapshot, count(chunks), "")));
    return rows;
  }

  private static Map<String, String> pair(String name, String value, String note) {
    Map<String, String> pair = new LinkedHashMap<>();
    pair.put("name", name);
    pair.put("value", value);
    pair.put("note", note);
    return pair;
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
