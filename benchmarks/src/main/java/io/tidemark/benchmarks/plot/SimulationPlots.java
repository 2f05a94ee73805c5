package io.tidemark.benchmarks.plot;

import java.awt.geom.Ellipse2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Draws simulated reads and writes of a mark against the batch size of deferred. */
final class SimulationPlots {
  private final Path directory;
  private final List<Map<?, ?>> results = new ArrayList<>();

  SimulationPlots(Path directory, Map<String, Object> result) {
    this.directory = directory;
    for (Object each : (List<?>) result.get("simulation")) {
      results.add((Map<?, ?>) each);
    }
  }

  void draw() throws IOException {
    Set<String> fileSystems = new LinkedHashSet<>();
    results.forEach(each -> fileSystems.add(Figure.text(each, "fs")));
    for (String fs : fileSystems) {
      draw(fs, "reads");
      draw(fs, "writes");
    }
  }

  private void draw(String fs, String what) throws IOException {
    Map<String, Integer> batches = new LinkedHashMap<>();
    Set<String> caches = new LinkedHashSet<>();
    for (Map<?, ?> each : results) {
      if (Figure.text(each, "fs").equals(fs)) {
        caches.add(Figure.text(each, "cache"));
        if (Figure.text(each, "strategy").equals("deferred")) {
          batches.putIfAbsent(Figure.text(each, "batch-size"), batches.size());
        }
      }
    }
    if (batches.isEmpty()) {
      return;
    }
    String best = fs.equals("ext4") || fs.equals("btrfs") ? "ordered-handle" : "ordered-name";
    XYSeriesCollection data = new XYSeriesCollection();
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
    int color = 0;
    for (String cache : caches) {
      add(
          data,
          renderer,
          "deferred, " + cache + "iB",
          points(fs, cache, "deferred", what, batches));
      style(renderer, data.getSeriesCount() - 1, color, true);
      List<double[]> flat = points(fs, cache, best, what, batches);
      if (!flat.isEmpty()) {
        String words = best.equals("ordered-handle") ? "ordered by handle, " : "ordered by name, ";
        add(data, renderer, words + cache + "iB", flat);
        style(renderer, data.getSeriesCount() - 1, color, false);
      }
      color = (color + 1) % Charts.COLORS.length;
    }
    SymbolAxis x =
        new SymbolAxis(
            "batch size of deferred, references (k, M: powers of 1,024)",
            batches.keySet().toArray(String[]::new));
    x.setGridBandsVisible(false);
    var y = Charts.logAxis(what + " a chunk in use (logarithmic)");
    double least = least(data);
    y.setRange(Math.pow(10, Math.floor(Math.log10(least))), 10);
    XYPlot plot = new XYPlot(data, x, y, renderer);
    plot.setRangeGridlinePaint(Charts.grid());
    plot.setDomainGridlinePaint(Charts.grid());
    Charts.style(x);
    Charts.style(y);
    Charts.save(
        plot,
        "Simulated mark on "
            + fs
            + ": requests for "
            + (what.equals("reads") ? "reading" : "writing"),
        "82 million chunks (22 % garbage) in 65,536 directories, dedup 10; by memory for metadata",
        directory.resolve("simulation-" + fs + "-" + what + ".png"),
        600);
  }

  private List<double[]> points(
      String fs, String cache, String strategy, String what, Map<String, Integer> batches) {
    List<double[]> points = new ArrayList<>();
    for (Map<?, ?> each : results) {
      if (Figure.text(each, "fs").equals(fs)
          && Figure.text(each, "cache").equals(cache)
          && Figure.text(each, "strategy").equals(strategy)) {
        double value = Figure.number(each, "mark-" + what) / Figure.number(each, "used");
        Integer at = batches.get(Figure.text(each, "batch-size"));
        if (at != null) {
          points.add(new double[] {at, value});
        } else {
          points.add(new double[] {0, value});
          points.add(new double[] {batches.size() - 1, value});
        }
      }
    }
    return points;
  }

  private static void add(
      XYSeriesCollection data,
      XYLineAndShapeRenderer renderer,
      String name,
      List<double[]> points) {
    XYSeries series = new XYSeries(name);
    points.forEach(point -> series.add(point[0], point[1]));
    data.addSeries(series);
    renderer.setSeriesShape(data.getSeriesCount() - 1, new Ellipse2D.Double(-4, -4, 8, 8));
  }

  private static void style(XYLineAndShapeRenderer renderer, int series, int color, boolean solid) {
    renderer.setSeriesPaint(series, Charts.COLORS[color]);
    renderer.setSeriesStroke(series, solid ? Charts.LINE : Charts.DASHED);
    renderer.setSeriesShapesVisible(series, solid);
    renderer.setSeriesLinesVisible(series, true);
  }

  private static double least(XYSeriesCollection data) {
    double least = 1;
    for (int series = 0; series < data.getSeriesCount(); series++) {
      for (int item = 0; item < data.getItemCount(series); item++) {
        least = Math.min(least, data.getYValue(series, item));
      }
    }
    return Math.max(least, 1e-4);
  }
}
