package io.tidemark.benchmarks.plot;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.DefaultCategoryDataset;

/** Draws seconds, reads and writes of measured collections, by file system and contender. */
final class ColdPlots {
  private static final double MOST_RATIO = 100;

  private final Path directory;
  private final String stem;
  private final Map<String, Object> result;

  ColdPlots(Path directory, String stem, Map<String, Object> result) {
    this.directory = directory;
    this.stem = stem;
    this.result = result;
  }

  void draw() throws IOException {
    Map<?, ?> stores = (Map<?, ?>) result.get("stores");
    for (Map.Entry<?, ?> store : stores.entrySet()) {
      draw(String.valueOf(store.getKey()), (Map<?, ?>) store.getValue());
    }
  }

  private void draw(String fs, Map<?, ?> counts) throws IOException {
    Map<String, List<Map<?, ?>>> runs = new LinkedHashMap<>();
    Set<String> failed = new LinkedHashSet<>();
    for (Object each : (List<?>) result.get("runs")) {
      Map<?, ?> run = (Map<?, ?>) each;
      if (!Figure.text(run, "fs").equals(fs)) {
        continue;
      }
      if (Boolean.TRUE.equals(run.get("right"))) {
        runs.computeIfAbsent(label(run), key -> new ArrayList<>()).add(run);
      } else {
        failed.add(label(run));
      }
    }
    double left = Figure.number(counts, "survivors");
    Map<?, ?> settings = (Map<?, ?>) result.get("settings");
    String below =
        String.format(
            Locale.ROOT,
            "%,.0f chunks in use, %,.0f of garbage; %.0f MB of cache, %s requests a second, %s",
            Figure.number(counts, "disk-chunks"),
            Figure.number(counts, "removed-chunks") + Figure.number(counts, "pending-chunks"),
            Figure.number(settings, "memory") / 1e6,
            Figure.number(settings, "iops") == 0 ? "any number of" : Figure.text(settings, "iops"),
            rounds((int) Figure.number(settings, "rounds")));
    if (!failed.isEmpty()) {
      below += "\nwithout failed runs of: " + String.join(", ", failed);
    }
    bars(
        runs,
        run -> Figure.number(run, "seconds") + Figure.number(run, "sync-seconds"),
        "seconds, the sync included",
        "0.0",
        "Cold collection on " + fs + ": time",
        below,
        file(fs, "seconds"));
    bars(
        runs,
        run -> Figure.number(run, "reads") / left,
        "reads a chunk that is left",
        "0.000",
        "Cold collection on " + fs + ": requests for reading",
        below,
        file(fs, "reads"));
    bars(
        runs,
        run -> Figure.number(run, "writes") / left,
        "writes a chunk that is left",
        "0.0000",
        "Cold collection on " + fs + ": requests for writing",
        below,
        file(fs, "writes"));
  }

  private Path file(String fs, String what) {
    String name = stem.endsWith("-" + fs) ? stem : stem + "-" + fs;
    return directory.resolve(name + "-" + what + ".png");
  }

  private static String rounds(int rounds) {
    return rounds == 1 ? "one round" : "medians of " + rounds + " rounds";
  }

  private static String label(Map<?, ?> run) {
    return Figure.text(run, "contender")
        .replace("tidemark ", "")
        .replace("--strategy ", "")
        .replace("--batch-size ", "batch ")
        .replace("--by name ordered", "ordered, by name")
        .replace("--by handle", "by handle");
  }

  private static void bars(
      Map<String, List<Map<?, ?>>> runs,
      ToDoubleFunction<Map<?, ?>> value,
      String words,
      String format,
      String title,
      String below,
      Path file)
      throws IOException {
    DefaultCategoryDataset data = new DefaultCategoryDataset();
    double least = Double.MAX_VALUE;
    double most = 0;
    for (Map.Entry<String, List<Map<?, ?>>> entry : runs.entrySet()) {
      double[] values = entry.getValue().stream().mapToDouble(value).sorted().toArray();
      double median = (values[values.length / 2] + values[(values.length - 1) / 2]) / 2;
      data.addValue(median, "", entry.getKey());
      least = Math.min(least, Arrays.stream(values).min().orElse(least));
      most = Math.max(most, median);
    }
    if (data.getColumnCount() == 0) {
      return;
    }
    // The length of a bar says nothing on a logarithmic axis, so that is for what would not be
    // seen.
    boolean logarithmic = most / least > MOST_RATIO;
    ValueAxis axis = logarithmic ? Charts.logAxis(words + " (logarithmic)") : new NumberAxis(words);
    axis.setRange(
        logarithmic ? Math.pow(10, Math.floor(Math.log10(least / 2))) : 0,
        logarithmic ? most * 4 : most * 1.12);
    BarRenderer renderer = new BarRenderer();
    renderer.setBarPainter(new StandardBarPainter());
    renderer.setShadowVisible(false);
    renderer.setSeriesPaint(0, Charts.COLORS[0]);
    renderer.setMaximumBarWidth(0.12);
    renderer.setDefaultItemLabelGenerator(
        new StandardCategoryItemLabelGenerator("{2}", new java.text.DecimalFormat(format)));
    renderer.setDefaultItemLabelsVisible(true);
    renderer.setDefaultItemLabelFont(Charts.small());
    renderer.setDefaultPositiveItemLabelPosition(
        new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
    CategoryAxis names = new CategoryAxis();
    names.setMaximumCategoryLabelWidthRatio(0.5f);
    CategoryPlot plot = new CategoryPlot(data, names, axis, renderer);
    plot.setOrientation(PlotOrientation.HORIZONTAL);
    plot.setRangeGridlinePaint(Charts.grid());
    plot.setRangeAxisLocation(org.jfree.chart.axis.AxisLocation.BOTTOM_OR_LEFT);
    plot.setDomainGridlinePaint(Color.WHITE);
    Charts.style(names);
    Charts.style(axis);
    Charts.save(plot, title, below, file, 160 + 52 * data.getColumnCount());
  }
}
