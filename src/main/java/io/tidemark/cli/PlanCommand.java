package io.tidemark.cli;

import io.tidemark.collect.Environment;
import io.tidemark.collect.Options;
import io.tidemark.collect.PlanJson;
import io.tidemark.collect.PlanOptions;
import io.tidemark.collect.PlanReport;
import io.tidemark.collect.Planner;
import io.tidemark.collect.PruneReport;
import io.tidemark.collect.PruneStudy;
import io.tidemark.index.CorruptIndexException;
import io.tidemark.posix.PosixException;
import io.tidemark.report.StopToken;
import io.tidemark.report.StoppedException;
import io.tidemark.store.BusyException;
import io.tidemark.store.PbsHost;
import io.tidemark.store.RefusedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Plans a collection. */
@Command(
    name = "plan",
    description = "Tells what a collection would free and how long it would take; writes nothing.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 done; 1 done, and chunks that index files require are missing; 2 wrong"
          + " usage;",
      "3 refused or failed; 130 or 143 stopped by a signal."
    })
final class PlanCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "STORE", description = "The datastore: the directory with .chunks.")
  private Path store = Path.of("");

  @Option(
      names = "--time",
      paramLabel = "DURATION",
      defaultValue = "20s",
      converter = Quantity.Span.class,
      description =
          "How long to take, about; the more, the narrower the ranges (default: ${DEFAULT-VALUE}).")
  private Duration time = PlanOptions.DEFAULT_TIME;

  @Option(
      names = "--exact",
      description = "Read all index files and all directories, however long that takes.")
  private boolean exact;

  @Option(
      names = "--without",
      paramLabel = "SNAPSHOT",
      arity = "1..*",
      description =
          "Tell instead what would be freed without these snapshots (vm/100/2026-01-31T12:00:00Z)"
              + " or groups (vm/100), and what each has alone. Reads all index files. Name STORE"
              + " first.")
  private List<String> without = List.of();

  @Option(
      names = "--ns",
      paramLabel = "NAMESPACE",
      description = "The namespace of what --without names, such as a/b (default: the root).")
  private String namespace = "";

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Option(
      names = "--atime-cutoff",
      paramLabel = "MINUTES",
      converter = Quantity.Minutes.class,
      description = "As for tidemark gc.")
  private @Nullable Integer atimeCutoff;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "auto",
      converter = Quantity.WorkerNumber.class,
      description = "Threads that list and look up, or auto (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "What sorting may take of the memory (default: half of the heap).")
  private @Nullable String memory;

  @Option(
      names = "--spill-dir",
      paramLabel = "DIR",
      description = "Where to sort what exceeds the memory (default: the system's, /tmp).")
  private @Nullable Path spillDir;

  @Option(
      names = "--pbs-config",
      paramLabel = "FILE",
      hidden = true,
      defaultValue = "/etc/proxmox-backup/datastore.cfg")
  private String pbsConfig = PbsHost.DEFAULT.configuration();

  @Option(
      names = "--pbs-run",
      paramLabel = "DIR",
      hidden = true,
      defaultValue = "/run/proxmox-backup")
  private String pbsRun = PbsHost.DEFAULT.run();

  @Option(
      names = "--pbs-tasks",
      paramLabel = "DIR",
      hidden = true,
      defaultValue = "/var/log/proxmox-backup/tasks")
  private String pbsTasks = PbsHost.DEFAULT.tasks();

  @Override
  public Integer call() {
    PlanOptions options = options();
    try (Signals signals = new Signals(new StopToken())) {
      return run(options, signals.stop());
    }
  }

  private int run(PlanOptions options, StopToken stop) {
    try {
      return without.isEmpty() ? plan(options, stop) : study(options, stop);
    } catch (StoppedException e) {
      return complain("stopped", ExitStatus.STOPPED);
    } catch (BusyException e) {
      return complain(String.valueOf(e.getMessage()), ExitStatus.BUSY);
    } catch (RefusedException | CorruptIndexException | PosixException e) {
      return complain(String.valueOf(e.getMessage()), ExitStatus.REFUSED);
    }
  }

  private int study(PlanOptions options, StopToken stop) {
    PruneReport report = new PruneStudy(options, Environment.SYSTEM, stop).run(names());
    print(report, PlanJson::format, PruneText::lines);
    return report.all().missing() > 0 ? ExitStatus.WARNINGS : ExitStatus.DONE;
  }

  private List<String> names() {
    String prefix = namespace.isEmpty() ? "" : "ns/" + namespace.replace("/", "/ns/") + "/";
    return without.stream().map(name -> prefix + name).toList();
  }

  private int plan(PlanOptions options, StopToken stop) {
    PlanReport report = new Planner(options, Environment.SYSTEM, stop).plan();
    print(report, PlanJson::format, PlanText::lines);
    return report.missing().orElse(0) > 0 ? ExitStatus.WARNINGS : ExitStatus.DONE;
  }

  private <T> void print(T report, Function<T, String> asJson, Function<T, List<String>> asText) {
    if (json) {
      System.out.println(asJson.apply(report));
    } else {
      asText.apply(report).forEach(System.out::println);
    }
  }

  private static int complain(String message, int status) {
    System.err.println("tidemark: " + message);
    return status;
  }

  private PlanOptions options() {
    if (!namespace.isEmpty() && without.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--ns says where --without looks");
    }
    for (String name : names()) {
      if (!PruneStudy.isName(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "'%s' is neither a snapshot such as vm/100/2026-01-31T12:00:00Z nor a group such as"
                    .formatted(name)
                + " vm/100, perhaps below ns/NAME");
      }
    }
    if (exact && !without.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--without is exact by itself");
    }
    try {
      Options.Builder builder =
          Options.builder(store.toAbsolutePath().normalize().toString())
              .action(Options.Action.DRY_RUN)
              .workers(workers)
              .host(new PbsHost(pbsConfig, pbsRun, pbsTasks));
      if (atimeCutoff != null) {
        builder.graceMinutes(atimeCutoff);
      }
      if (memory != null) {
        builder.memory(Quantity.count(memory));
      }
      if (spillDir != null) {
        builder.spillDirectory(spillDir.toString());
      }
      return new PlanOptions(
          builder.build(), exact ? PlanOptions.Depth.EVERYTHING : PlanOptions.Depth.SAMPLE, time);
    } catch (IllegalArgumentException | TypeConversionException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
