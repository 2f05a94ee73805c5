package io.tidemark.cli;

import io.tidemark.collect.Collector;
import io.tidemark.collect.Continuation;
import io.tidemark.collect.Environment;
import io.tidemark.collect.Options;
import io.tidemark.collect.ProgressListener;
import io.tidemark.collect.StoreFixture;
import io.tidemark.collect.Strategy;
import io.tidemark.collect.Window;
import io.tidemark.report.Point;
import io.tidemark.report.StopToken;
import io.tidemark.store.PbsHost;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A collection in a process of its own, which can be killed; and the same in this process. */
final class ChildRun {
  /* The process must see what the options of this process see, and nothing of the machine's. */
  private static final int STEP = 32;

  private ChildRun() {}

  /** Starts the program itself on {@code store}. */
  static Process program(StoreFixture store, Path states, Strategy strategy) throws IOException {
    List<String> line = java(Main.class);
    line.addAll(
        List.of(
            "gc",
            store.base.toString(),
            "--resume",
            "--state-dir=" + states,
            "--journal-every=0s",
            "--journal-step=" + STEP,
            "--strategy=" + strategy.label(),
            "--batch-size=100",
            "--workers=2",
            "--no-atime-safety-check",
            "--pbs-config=" + store.host.configuration(),
            "--pbs-run=" + store.host.run(),
            "--pbs-tasks=" + store.host.tasks()));
    return new ProcessBuilder(line).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
  }

  /** Starts a collection that ends like a killed one when it comes to a point. */
  static Process halting(
      StoreFixture store, Path states, Strategy strategy, Point point, int occurrence)
      throws IOException {
    List<String> line = java(ChildRun.class);
    line.addAll(
        List.of(
            store.base.toString(),
            states.toString(),
            strategy.name(),
            point.name(),
            Integer.toString(occurrence),
            store.host.configuration(),
            store.host.run(),
            store.host.tasks()));
    return new ProcessBuilder(line)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static List<String> java(Class<?> main) {
    return new ArrayList<>(
        List.of(
            Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-Dlogback.configurationFile=logback.xml",
            "-cp",
            System.getProperty(
                "surefire.test.class.path", System.getProperty("java.class.path", "")),
            main.getName()));
  }

  /** Waits for the first line of the run, when the JVM is up and the store about to be locked. */
  static void awaitStart(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.contains("starting garbage collection")) {
      line = lines.readLine();
    }
  }

  static BufferedReader lines(Process process) {
    return process.errorReader(StandardCharsets.UTF_8);
  }

  /** Returns the options of the same collection. */
  static Options options(
      String store, PbsHost host, Path states, Strategy strategy, Continuation.Mode mode) {
    return Options.builder(store)
        .strategy(strategy)
        .window(Window.ALL)
        .batchSize(100)
        .workers(2)
        .memory(Options.LEAST_MEMORY)
        .atimeCheck(Options.AtimeCheckMode.SKIP)
        .host(host)
        .continuation(
            Continuation.NONE.journal(mode, states.toString()).noting(Duration.ZERO, STEP))
        .build();
  }

  public static void main(String[] arguments) {
    PbsHost host = new PbsHost(arguments[5], arguments[6], arguments[7]);
    Point point = Point.valueOf(arguments[3]);
    int occurrence = Integer.parseInt(arguments[4]);
    AtomicInteger reached = new AtomicInteger();
    Environment environment =
        Environment.SYSTEM.watchedBy(
            passed -> {
              if (passed == point && reached.incrementAndGet() == occurrence) {
                Runtime.getRuntime().halt(137);
              }
            });
    Options options =
        options(
            arguments[0],
            host,
            Path.of(arguments[1]),
            Strategy.valueOf(arguments[2]),
            Continuation.Mode.RESUME);
    new Collector(options, environment, ProgressListener.NONE, new StopToken()).run();
  }
}
