package io.tidemark.benchmarks.simulation;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Renders figures as Markdown. */
final class ResultTable {
  private ResultTable() {}

  /** The figures of a strategy, by cache size. */
  record Row(String strategy, String batch, List<Run.Figures> figures) {}

  private record Column(String title, ToDoubleFunction<Run.Figures> value) {}

  static String render(String fs, List<String> caches, List<Row> rows, int used) {
    String mark =
        table(
            "%s, the mark: requests a chunk in use, and how often all metadata is read (in bytes)"
                .formatted(fs),
            caches,
            rows,
            used,
            List.of(
                new Column("reads", each(Run.Figures::markReads, used)),
                new Column("writes", each(Run.Figures::markWrites, used)),
                new Column("all read", f -> (double) f.markReadBytes() / f.metadataBytes())));
    String whole =
        table(
            "%s, mark and sweep: requests a chunk in use".formatted(fs),
            caches,
            rows,
            used,
            List.of(
                new Column("reads", each(Run.Figures::reads, used)),
                new Column("writes", each(Run.Figures::writes, used))));
    return mark + whole;
  }

  private static ToDoubleFunction<Run.Figures> each(ToLongFunction<Run.Figures> value, int used) {
    return figures -> (double) value.applyAsLong(figures) / used;
  }

  private static String table(
      String title, List<String> caches, List<Row> rows, int used, List<Column> columns) {
    StringBuilder text = new StringBuilder("\n### %s\n\n| strategy | touches |".formatted(title));
    for (Column column : columns) {
      caches.forEach(cache -> text.append(" %s, %s |".formatted(column.title, cache)));
    }
    text.append("\n|").append(" --- |".repeat(2 + columns.size() * caches.size())).append('\n');
    for (Row row : rows) {
      String batch = row.batch().isEmpty() ? "" : " " + row.batch();
      double touches = (double) row.figures().getFirst().touches() / used;
      text.append("| %s%s | %s |".formatted(row.strategy(), batch, number(touches)));
      for (Column column : columns) {
        for (Run.Figures figures : row.figures()) {
          text.append(" %s |".formatted(number(column.value.applyAsDouble(figures))));
        }
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 0.1 ? "%.4f" : "%.2f", value);
  }
}
