package io.tidemark.cli;

import io.tidemark.collect.PruneReport;
import io.tidemark.plan.SharedSizes;
import io.tidemark.report.HumanBytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Writes for people what snapshots have alone. */
final class PruneText {
  private final List<String[]> table = new ArrayList<>();

  private PruneText() {}

  /** Returns the lines. */
  static List<String> lines(PruneReport report) {
    PruneText text = new PruneText();
    text.table.add(new String[] {"Snapshot", "total", "unique", "shared", "missing"});
    for (PruneReport.Snapshot snapshot : report.snapshots()) {
      boolean kept = snapshot.protection() == PruneReport.Protection.PROTECTED;
      text.row(snapshot.name() + (kept ? " (protected)" : ""), snapshot.usage());
    }
    text.table.add(new String[] {"Group", "", "", "", ""});
    for (PruneReport.Group group : report.groups()) {
      text.row(
          "%s (%d of %d snapshots)".formatted(group.name(), group.named(), group.snapshots()),
          group.usage());
    }
    text.row("All of these", report.all());
    List<String> lines = new ArrayList<>(text.aligned());
    lines.add("");
    lines.addAll(conclusion(report));
    return lines;
  }

  private void row(String name, SharedSizes.Usage usage) {
    table.add(
        new String[] {
          name,
          amount(usage.total()),
          amount(usage.unique()),
          amount(usage.shared()),
          Long.toString(usage.missing())
        });
  }

  private static String amount(SharedSizes.Amount amount) {
    return "%s in %d".formatted(HumanBytes.format(amount.bytes()), amount.chunks());
  }

  private List<String> aligned() {
    int[] widths = new int[5];
    for (String[] row : table) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row[column].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] row : table) {
      StringBuilder line = new StringBuilder(("%-" + widths[0] + "s").formatted(row[0]));
      for (int column = 1; column < widths.length; column++) {
        line.append(("  %" + widths[column] + "s").formatted(row[column]));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static List<String> conclusion(PruneReport report) {
    List<String> lines = new ArrayList<>();
    SharedSizes.Usage all = report.all();
    for (String name : report.withoutIndexFiles()) {
      lines.add(name + " has no index file, so nothing hangs on it.");
    }
    lines.add(
        "Without all of these, %d chunks (%s) would be garbage, beside what is garbage already."
            .formatted(all.unique().chunks(), HumanBytes.format(all.unique().bytes())));
    if (all.unique().chunks() > 0) {
      lines.add(whenFreed(report));
      lines.add(
          "A collection that still finds the snapshots touches their chunks, and the time begins"
              + " anew.");
    }
    return lines;
  }

  private static String whenFreed(PruneReport report) {
    SharedSizes.Usage all = report.all();
    if (all.uniqueOld().equals(all.unique())) {
      return "A collection now would free all of them.";
    }
    return "A collection now would free %d of them (%s), and one begun after %s all."
        .formatted(
            all.uniqueOld().chunks(),
            HumanBytes.format(all.uniqueOld().bytes()),
            Instant.ofEpochSecond(all.youngest() + report.graceSeconds()));
  }
}
