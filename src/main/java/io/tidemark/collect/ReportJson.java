package io.tidemark.collect;

import io.tidemark.flush.MissingChunks;
import io.tidemark.report.Warning;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/** Writes the report of a collection as one JSON object. */
public final class ReportJson {
  private ReportJson() {}

  /** Returns the object; the fields of {@code .gc-status} keep their names. */
  public static String format(Report report) {
    return JSON.std
            .with(JSON.Feature.PRETTY_PRINT_OUTPUT, JSON.Feature.WRITE_NULL_PROPERTIES)
            .asString(fields(report))
        + "\n";
  }

  private static Map<String, @Nullable Object> fields(Report report) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("outcome", report.outcome().label());
    fields.put("error", report.error().orElse(null));
    fields.put("strategy", report.strategy().label());
    fields.put("batch-size", report.batchSize());
    fields.put("started", report.started().toString());
    fields.put("ended", report.ended().toString());
    fields.put("continued-from", report.continuedFrom().map(Instant::toString).orElse(null));
    fields.put("minimum-atime", report.minimumAtime().map(Instant::toString).orElse(null));
    fields.putAll(report.status().fields());
    fields.put("references", report.references());
    fields.put("touched", report.touched());
    fields.put("touches-skipped", report.skipped());
    fields.put("missing-chunk-count", report.missingCount());
    fields.put("missing-chunks", report.missing().stream().map(ReportJson::missing).toList());
    fields.put("flushes", report.flushes());
    fields.put("directories-warmed", report.directoriesWarmed());
    fields.put("directories-already-warm", report.directoriesAlreadyWarm());
    fields.put("foreign-entries", report.foreign());
    fields.put("already-gone", report.gone());
    fields.put("remove-failures", report.removeFailures());
    fields.put("phases", phases(report));
    fields.put("warnings", report.warnings().stream().map(ReportJson::warning).toList());
    return fields;
  }

  private static Map<String, Object> missing(MissingChunks.Missing chunk) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("digest", chunk.digest());
    fields.put("index", chunk.index());
    if (chunk.badFiles() > 0) {
      fields.put("bad-files", chunk.badFiles());
    }
    return fields;
  }

  private static List<Map<String, Object>> phases(Report report) {
    List<Map<String, Object>> phases = new ArrayList<>();
    for (Report.Phase phase : report.phases()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", phase.name());
      fields.put("seconds", phase.seconds());
      phases.add(fields);
    }
    return phases;
  }

  private static Map<String, Object> warning(Warning warning) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", warning.id());
    fields.put("message", warning.message());
    fields.put("path", warning.path());
    return fields;
  }
}
