package io.tidemark.benchmarks.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
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
    renderer.setLegendLine(new Line2D.Double(-16, 0, 16, 0));
    String by = best.equals("ordered-handle") ? "ordered by handle" : "ordered by name";
    lines(data, renderer, by, collect(fs, caches, best, what, batches), Charts.DASHED);
    lines(data, renderer, "deferred", collect(fs, caches, "deferred", what, batches), Charts.LINE);
    SymbolAxis x =
        new SymbolAxis(
            "batch size of deferred, references (k, M: powers of 1,024)",
            batches.keySet().toArray(String[]::new));
    x.setGridBandsVisible(false);
    var y = Charts.logAxis(what + " a chunk in use (logarithmic)");
    y.setRange(Math.pow(10, Math.floor(Math.log10(least(data)))), 1.6 * most(data));
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
        below(),
        directory.resolve("simulation-" + fs + "-" + what + ".png"),
        600);
  }

  private String below() {
    Map<?, ?> one = results.getFirst();
    double scale = Figure.number(one, "scale");
    return String.format(
        Locale.ROOT,
        "%,.0f chunks, %,.0f in use, in a model of 1/%.0f of that; by memory for metadata",
        Figure.number(one, "chunks") * scale,
        Figure.number(one, "used") * scale,
        scale);
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

  private Map<String, List<double[]>> collect(
      String fs, Set<String> caches, String strategy, String what, Map<String, Integer> batches) {
    Map<String, List<double[]>> points = new LinkedHashMap<>();
    for (String cache : caches) {
      points.put(cache, points(fs, cache, strategy, what, batches));
    }
    return points;
  }

  /** Adds a line for each cache, or one for all when they would hide each other. */
  private static void lines(
      XYSeriesCollection data,
      XYLineAndShapeRenderer renderer,
      String words,
      Map<String, List<double[]>> byCache,
      BasicStroke stroke) {
    List<List<double[]>> all = List.copyOf(byCache.values());
    boolean alike = all.stream().allMatch(each -> alike(all.getFirst(), each));
    int number = 0;
    for (Map.Entry<String, List<double[]>> each : byCache.entrySet()) {
      String cache = each.getKey().replaceFirst("G$", " GiB");
      XYSeries series = new XYSeries(words + ", " + (alike ? "any memory" : cache));
      each.getValue().forEach(point -> series.add(point[0], point[1]));
      data.addSeries(series);
      int index = data.getSeriesCount() - 1;
      renderer.setSeriesPaint(
          index, alike ? Color.DARK_GRAY : Charts.COLORS[number % Charts.COLORS.length]);
      renderer.setSeriesStroke(index, stroke);
      renderer.setSeriesShape(index, new Ellipse2D.Double(-4, -4, 8, 8));
      renderer.setSeriesShapesVisible(index, stroke == Charts.LINE);
      number++;
      if (alike) {
        break;
      }
    }
  }

  private static boolean alike(List<double[]> one, List<double[]> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < one.size(); i++) {
      if (Math.abs(one.get(i)[1] / other.get(i)[1] - 1) > 0.02) {
        return false;
      }
    }
    return true;
  }

  private static double most(XYSeriesCollection data) {
    double most = 1;
    for (int series = 0; series < data.getSeriesCount(); series++) {
      for (int item = 0; item < data.getItemCount(series); item++) {
        most = Math.max(most, data.getYValue(series, item));
      }
    }
    return most;
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
