package io.tidemark.benchmarks.simulation;

import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Renders figures as Markdown. */
final class ResultTable {
  private ResultTable() {}

  /** The figures of a strategy, by cache size. */
  record Row(String strategy, String batch, List<Run.Figures> figures) {}

  static String render(String fs, List<String> caches, List<Row> rows, int used) {
    StringBuilder text = new StringBuilder();
    text.append("\n### %s: requests a chunk in use, by size of the cache\n\n".formatted(fs));
    text.append("| strategy | touches |");
    for (String part : List.of("mark: reads", "writes", "with the sweep: reads", "writes")) {
      String more = part;
      caches.forEach(cache -> text.append(" %s, %s |".formatted(more, cache)));
    }
    text.append("\n|").append(" --- |".repeat(2 + 4 * caches.size())).append('\n');
    for (Row row : rows) {
      String batch = row.batch().isEmpty() ? "" : " " + row.batch();
      text.append("| %s%s | ".formatted(row.strategy(), batch));
      text.append(number((double) row.figures().getFirst().touches() / used)).append(" |");
      columns(text, row, used, Run.Figures::markReads);
      columns(text, row, used, Run.Figures::markWrites);
      columns(text, row, used, Run.Figures::reads);
      columns(text, row, used, Run.Figures::writes);
      text.append('\n');
    }
    return text.toString();
  }

  private static void columns(
      StringBuilder text, Row row, int used, ToLongFunction<Run.Figures> value) {
    for (Run.Figures figures : row.figures()) {
      text.append(" %s |".formatted(number((double) value.applyAsLong(figures) / used)));
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 0.1 ? "%.4f" : "%.2f", value);
  }
}
