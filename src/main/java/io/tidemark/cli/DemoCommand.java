package io.tidemark.cli;

import io.tidemark.collect.Collector;
import io.tidemark.collect.Options;
import io.tidemark.collect.ProgressListener;
import io.tidemark.collect.Report;
import io.tidemark.report.StopToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Shows a collection on a small store that it makes and deletes again. */
@Command(
    name = "demo",
    description = "Makes a small datastore in a temporary directory and collects it.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class)
final class DemoCommand implements Callable<Integer> {
  @Override
  public Integer call() throws IOException {
    Path folder = Files.createTempDirectory("tidemark-demo-");
    try (DemoStore store = DemoStore.make(folder)) {
      System.out.printf(
          "Made a datastore in %s: %d snapshots, %d chunks in use, %d old and %d young unused%n",
          store.path(), store.snapshots(), store.used(), store.old(), store.young());
      Options options = Options.builder(store.path().toString()).build();
      Report report;
      try (Signals signals = new Signals(new StopToken())) {
        report = new Collector(options, ProgressListener.NONE, signals.stop()).run();
      }
      if (report.error().isPresent()) {
        System.err.println("tidemark: " + report.error().get());
        return ExitStatus.of(report.outcome());
      }
      System.out.printf(
          "Collected: %d chunks removed, %d kept in use, %d pending%n",
          report.status().removedChunks(),
          report.status().diskChunks(),
          report.status().pendingChunks());
      return store.isCollected() ? ExitStatus.DONE : ExitStatus.FAILED;
    }
  }
}
