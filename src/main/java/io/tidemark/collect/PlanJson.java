package io.tidemark.collect;

import io.tidemark.plan.Estimate;
import io.tidemark.plan.Interval;
import io.tidemark.plan.Rates;
import io.tidemark.store.LastCollection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/** Writes a plan as one JSON object. */
public final class PlanJson {
  private PlanJson() {}

  /** Returns the object, with bytes and seconds as plain numbers. */
  public static String format(PlanReport report) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("store", report.store());
    fields.put("file-system", report.fileSystem());
    fields.put("at", time(report.atSeconds()));
    fields.put("minimum-atime", time(report.minimumAtimeSeconds()));
    fields.put("basis", label(report.basis()));
    fields.put("directories", report.looked().directories());
    fields.put("directories-visited", report.looked().visited());
    fields.put("chunks-looked-at", report.looked().chunks());
    fields.put("index-file-count", report.indexes().files());
    fields.put("index-file-bytes", report.indexes().bytes());
    fields.put("references", report.indexes().references());
    fields.put("last-collection", report.last().map(PlanJson::last).orElse(null));
    Map<String, Object> estimates = new LinkedHashMap<>();
    report.estimates().forEach((measure, found) -> estimates.put(label(measure), estimate(found)));
    fields.put("estimates", estimates);
    fields.put(
        "missing-chunk-count", report.missing().isPresent() ? report.missing().getAsLong() : null);
    boolean none = report.pending().isEmpty();
    long grace = report.graceSeconds();
    fields.put("pending-free-from", none ? null : time(report.pending().oldest() + grace));
    fields.put("pending-free-until", none ? null : time(report.pending().youngest() + grace));
    fields.put("rates", rates(report.rates()));
    Map<String, Object> forecasts = new LinkedHashMap<>();
    report.forecasts().forEach(one -> forecasts.put(one.strategy(), bounds(one.seconds())));
    fields.put("seconds-by-strategy", forecasts);
    List<Map<String, Object>> advice = new ArrayList<>();
    report.advice().forEach(one -> advice.add(Map.of("flag", one.flag(), "reason", one.reason())));
    fields.put("advice", advice);
    fields.put("took-seconds", report.tookSeconds());
    return write(fields);
  }

  static String write(Map<String, @Nullable Object> fields) {
    return JSON.std
        .with(JSON.Feature.PRETTY_PRINT_OUTPUT, JSON.Feature.WRITE_NULL_PROPERTIES)
        .asString(fields);
  }

  static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static String time(long seconds) {
    return Instant.ofEpochSecond(seconds).toString();
  }

  private static Map<String, @Nullable Object> last(LastCollection last) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put(
        "started", last.startSeconds().isPresent() ? time(last.startSeconds().getAsLong()) : null);
    fields.put("ended", time(last.endSeconds()));
    fields.put("pending-chunks", last.pendingChunks());
    fields.put("pending-bytes", last.pendingBytes());
    return fields;
  }

  private static Map<String, Object> estimate(Estimate estimate) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("chunks", whole(estimate.chunks()));
    fields.put("bytes", whole(estimate.bytes()));
    fields.put("share", bounds(estimate.share()));
    return fields;
  }

  private static Map<String, Object> whole(Interval interval) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("low", Math.round(Math.floor(interval.low())));
    fields.put("estimate", Math.round(interval.estimate()));
    fields.put("high", Math.round(Math.ceil(interval.high())));
    return fields;
  }

  private static Map<String, Object> bounds(Interval interval) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("low", interval.low());
    fields.put("estimate", interval.estimate());
    fields.put("high", interval.high());
    return fields;
  }

  private static Map<String, Object> rates(Rates rates) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("seconds-a-listing", rates.secondsAListing());
    fields.put("seconds-a-lookup-by-digest", rates.secondsByDigest());
    fields.put("seconds-a-lookup-by-inode", rates.secondsByInode());
    fields.put("seconds-a-reference", rates.secondsAReference());
    fields.put("threads", rates.threads());
    fields.put("waits-a-call", rates.waitsACall());
    fields.put("from-memory", rates.isFromMemory());
    return fields;
  }
}
