package io.tidemark.benchmarks.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;

/** How all charts look. */
final class Charts {
  static final int WIDTH = 1000;
  static final Color[] COLORS = {
    new Color(0x0072b2), new Color(0xd55e00), new Color(0x009e73), new Color(0xcc79a7)
  };
  static final BasicStroke LINE = new BasicStroke(2.5f);
  static final BasicStroke DASHED =
      new BasicStroke(1.8f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {8, 6}, 0);

  private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 20);
  private static final Font LABEL = new Font(Font.SANS_SERIF, Font.PLAIN, 16);
  private static final Font SMALL = new Font(Font.SANS_SERIF, Font.PLAIN, 14);
  private static final Color GRID = new Color(0xdddddd);

  private Charts() {}

  static Font small() {
    return SMALL;
  }

  /** Returns an axis whose ticks are powers of ten, written as decimal numbers. */
  static LogAxis logAxis(String label) {
    LogAxis axis = new LogAxis(label);
    axis.setTickUnit(new NumberTickUnit(1, new Decimal(), 9));
    axis.setNumberFormatOverride(new Decimal());
    axis.setMinorTickMarksVisible(true);
    return axis;
  }

  static void style(Axis axis) {
    axis.setLabelFont(LABEL);
    axis.setTickLabelFont(SMALL);
    axis.setTickLabelPaint(Color.DARK_GRAY);
  }

  static void save(Plot plot, String title, String below, Path file, int height)
      throws IOException {
    JFreeChart chart = new JFreeChart(title, TITLE, plot, false);
    chart.setBackgroundPaint(Color.WHITE);
    chart.getTitle().setHorizontalAlignment(HorizontalAlignment.LEFT);
    TextTitle note = new TextTitle(below, SMALL);
    note.setPaint(Color.GRAY);
    note.setPosition(RectangleEdge.BOTTOM);
    note.setHorizontalAlignment(HorizontalAlignment.LEFT);
    note.setTextAlignment(HorizontalAlignment.LEFT);
    chart.addSubtitle(note);
    if (plot.getLegendItems() != null && plot.getLegendItems().getItemCount() > 1) {
      var legend = new org.jfree.chart.title.LegendTitle(plot);
      legend.setItemFont(SMALL);
      legend.setPosition(RectangleEdge.TOP);
      legend.setHorizontalAlignment(HorizontalAlignment.LEFT);
      legend.setFrame(BlockBorder.NONE);
      chart.addSubtitle(legend);
    }
    chart.setPadding(new org.jfree.chart.ui.RectangleInsets(8, 8, 8, 16));
    plot.setBackgroundPaint(Color.WHITE);
    plot.setOutlineVisible(false);
    ChartUtils.saveChartAsPNG(file.toFile(), chart, WIDTH, height);
    System.out.println(file);
  }

  static Color grid() {
    return GRID;
  }
}
