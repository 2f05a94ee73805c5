package io.tidemark.collect;

import io.tidemark.plan.Estimate;
import io.tidemark.plan.Interval;
import io.tidemark.plan.Rates;
import io.tidemark.plan.SharedSizes;
import io.tidemark.store.LastCollection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/** Writes a plan, or a study of snapshots, as one JSON object. */
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

  /** Returns the object for a study of snapshots. */
  public static String format(PruneReport report) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("store", report.store());
    fields.put("at", time(report.atSeconds()));
    fields.put("index-file-count", report.indexFiles());
    List<Map<String, Object>> snapshots = new ArrayList<>();
    for (PruneReport.Snapshot snapshot : report.snapshots()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", snapshot.name());
      one.put("protected", snapshot.protection() == PruneReport.Protection.PROTECTED);
      one.putAll(usage(snapshot.usage()));
      snapshots.add(one);
    }
    fields.put("snapshots", snapshots);
    List<Map<String, Object>> groups = new ArrayList<>();
    for (PruneReport.Group group : report.groups()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", group.name());
      one.put("snapshots-named", group.named());
      one.put("snapshots", group.snapshots());
      one.putAll(usage(group.usage()));
      groups.add(one);
    }
    fields.put("groups", groups);
    fields.put("all", usage(report.all()));
    boolean none = report.all().unique().chunks() == 0;
    fields.put("free-until", none ? null : time(report.all().youngest() + report.graceSeconds()));
    fields.put("without-index-files", report.withoutIndexFiles());
    return write(fields);
  }

  private static Map<String, Object> usage(SharedSizes.Usage usage) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("total-chunks", usage.total().chunks());
    fields.put("total-bytes", usage.total().bytes());
    fields.put("unique-chunks", usage.unique().chunks());
    fields.put("unique-bytes", usage.unique().bytes());
    fields.put("unique-old-chunks", usage.uniqueOld().chunks());
    fields.put("unique-old-bytes", usage.uniqueOld().bytes());
    fields.put("shared-chunks", usage.shared().chunks());
    fields.put("shared-bytes", usage.shared().bytes());
    fields.put("missing-chunks", usage.missing());
    return fields;
  }

  private static String write(Map<String, @Nullable Object> fields) {
    return JSON.std
        .with(JSON.Feature.PRETTY_PRINT_OUTPUT, JSON.Feature.WRITE_NULL_PROPERTIES)
        .asString(fields);
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String time(long seconds) {
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
