package io.tidemark.cli;

import io.tidemark.collect.Environment;
import io.tidemark.collect.Report;
import io.tidemark.collect.ReportFile;
import io.tidemark.collect.ReportJson;
import io.tidemark.collect.ReportMetrics;
import io.tidemark.html.CallTimes;
import io.tidemark.html.HtmlReport;
import io.tidemark.posix.Posix;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of what a run leaves for others to read. */
final class ReportOptions {
  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write a report as JSON, also when the run fails.")
  private @Nullable Path report;

  @Option(
      names = "--metrics",
      paramLabel = "FILE.prom",
      description =
          "Write metrics for the textfile collector of Prometheus's node exporter, also when the"
              + " run fails.")
  private @Nullable Path metrics;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Write a page with figures, pictures of the chunk directories and the times of system"
              + " calls, also when the run fails.")
  private @Nullable Path html;

  private final CallTimes calls = new CallTimes(Posix::open);

  /** Returns the machine as a run must see it, so that what was asked for can be written. */
  Environment environment() {
    return html == null ? Environment.SYSTEM : Environment.SYSTEM.calling(calls);
  }

  /** Refuses files that cannot be written, before the run. */
  void requireFolders(CommandLine command) {
    requireFolder(command, "report", report);
    requireFolder(command, "metrics", metrics);
    requireFolder(command, "page", html);
    if (metrics != null && !metrics.toString().endsWith(".prom")) {
      throw new ParameterException(
          command,
          "cannot write the metrics %s: the node exporter reads only files named *.prom"
              .formatted(metrics));
    }
  }

  private static void requireFolder(CommandLine command, String what, @Nullable Path file) {
    if (file != null) {
      Path folder = file.toAbsolutePath().getParent();
      if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
        throw new ParameterException(
            command, "cannot write the %s %s: no such folder".formatted(what, file));
      }
    }
  }

  /** Writes what was asked for; returns false, after a warning, when some of it failed. */
  boolean write(Report done, String store) {
    boolean reported = write("report", report, () -> ReportJson.format(done));
    boolean measured =
        write("metrics", metrics, () -> ReportMetrics.format(done, store, contents(metrics)));
    boolean shown = write("page", html, () -> HtmlReport.format(done, store, calls));
    return reported && measured && shown;
  }

  private static boolean write(String what, @Nullable Path file, Supplier<String> text) {
    if (file == null) {
      return true;
    }
    try {
      ReportFile.write(file, text.get());
      return true;
    } catch (IOException e) {
      LoggerFactory.getLogger("io.tidemark")
          .warn("warning: cannot write the {} {}: {}", what, file, e.toString());
      return false;
    }
  }

  /* What is there before the first run, or cannot be read, says nothing of a success. */
  private static String contents(@Nullable Path file) {
    try {
      return file == null ? "" : new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
