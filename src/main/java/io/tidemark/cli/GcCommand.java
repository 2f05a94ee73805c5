package io.tidemark.cli;

import io.tidemark.collect.Collector;
import io.tidemark.collect.Options;
import io.tidemark.collect.Outcome;
import io.tidemark.collect.ProgressListener;
import io.tidemark.collect.Report;
import io.tidemark.collect.Strategy;
import io.tidemark.collect.Window;
import io.tidemark.report.StopToken;
import io.tidemark.store.LockMode;
import io.tidemark.store.PbsHost;
import io.tidemark.warm.Rewarm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Collects one datastore. */
@Command(
    name = "gc",
    description = "Removes the chunks of a datastore that no backup needs.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 done; 1 done, with warnings, or stopped by --max-duration; 2 wrong usage;",
      "3 refused or failed before anything was removed; 4 failed while removing; 5 the store is",
      "busy; 130 or 143 stopped by a signal."
    })
final class GcCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "STORE", description = "The datastore: the directory with .chunks.")
  private Path store = Path.of("");

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      defaultValue = "deferred",
      description =
          "How chunks are marked: immediate, prefetch, deferred, ordered or auto (default:"
              + " ${DEFAULT-VALUE}). The result is the same.")
  private Strategy strategy = Strategy.DEFERRED;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "1M",
      converter = Quantity.Count.class,
      description =
          "References collected before their chunks are touched, 1 to 128M; 36 bytes each"
              + " (default: ${DEFAULT-VALUE}).")
  private int batchSize = Options.DEFAULT_BATCH_SIZE;

  @Option(
      names = "--cache-capacity",
      paramLabel = "N",
      converter = Quantity.Count.class,
      description =
          "Digests in the cache of recent ones, 0 to 8M; 0 is off (default: as the server is"
              + " configured, else 1M).")
  private @Nullable Integer cacheCapacity;

  @Option(
      names = "--atime-cutoff",
      paramLabel = "MINUTES",
      converter = Quantity.Minutes.class,
      description =
          "How long an unused chunk is kept, 1 to 2880 minutes, or as 24h5m (default: as the"
              + " server is configured, else 1445).")
  private @Nullable Integer atimeCutoff;

  @Option(
      names = "--no-atime-safety-check",
      description = "Do not check first that the file system keeps access times.")
  private boolean noAtimeSafetyCheck;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "auto",
      converter = Quantity.WorkerNumber.class,
      description =
          "Threads that list, touch and remove, 1 to 256, or auto (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "What sorting may take of the memory, such as 500M; what exceeds it goes to the spill"
              + " directory (default: half of the heap).")
  private @Nullable String memory;

  @Option(
      names = "--spill-dir",
      paramLabel = "DIR",
      description = "Where to sort what exceeds the memory (default: the system's, /tmp).")
  private @Nullable Path spillDir;

  @Option(
      names = "--window",
      paramLabel = "WINDOW",
      defaultValue = "auto",
      converter = Quantity.WindowSize.class,
      description =
          "Chunks that the ordered strategy touches in one go: all, a number, directory or auto"
              + " (default: ${DEFAULT-VALUE}).")
  private Window window = Window.AUTO;

  @Option(
      names = "--touch-if-older",
      paramLabel = "DURATION",
      converter = Quantity.Span.class,
      description =
          "With the ordered strategy: leave a chunk alone when its access time outlives the cutoff"
              + " by DURATION already (default: touch all).")
  private @Nullable Duration touchIfOlder;

  @Option(
      names = "--rewarm",
      paramLabel = "WHEN",
      defaultValue = "auto",
      description =
          "When a chunk directory that was read ahead is read again: auto, never or always"
              + " (default: ${DEFAULT-VALUE}).")
  private Rewarm rewarm = Rewarm.AUTO;

  @Option(
      names = "--warm-ahead",
      paramLabel = "N",
      defaultValue = "auto",
      converter = Quantity.Ahead.class,
      description =
          "Chunk directories to read ahead of their use, with the strategy deferred and the window"
              + " directory: a number, 0 for none, or auto (default: ${DEFAULT-VALUE}).")
  private OptionalInt warmAhead = OptionalInt.empty();

  @Option(
      names = "--dry-run",
      description = "Count what would be removed, and write nothing to the store.")
  private boolean dryRun;

  @Option(
      names = "--emergency",
      description =
          "Free space on a full file system: touch nothing, and remove what no index file"
              + " requires. Keeps backups out meanwhile.")
  private boolean emergency;

  @Mixin private ReportOptions reports = new ReportOptions();

  @Option(
      names = "--removal-log",
      paramLabel = "FILE",
      description =
          "Append what is removed to FILE, compressed, before it goes; tidemark log searches it.")
  private @Nullable Path removalLog;

  @Option(
      names = "--allow-empty",
      description = "Go on when there is no index file, and remove all old chunks.")
  private boolean allowEmpty;

  @Mixin private TripwireOptions tripwires = new TripwireOptions();

  @Option(
      names = "--lock",
      paramLabel = "MODE",
      defaultValue = "shared",
      description =
          "shared: backups may go on; exclusive: nobody else uses the store (default:"
              + " ${DEFAULT-VALUE}).")
  private LockMode lock = LockMode.SHARED;

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      defaultValue = "0s",
      converter = Quantity.Span.class,
      description =
          "How long to wait for running backups, such as 90s or 2h (default: ${DEFAULT-VALUE}).")
  private Duration wait = Duration.ZERO;

  @Mixin private JournalOptions journal = new JournalOptions();

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
    Options options = options();
    reports.requireFolders(spec.commandLine());
    try (Signals signals = new Signals(new StopToken())) {
      Report report =
          new Collector(options, reports.environment(), ProgressListener.NONE, signals.stop())
              .run();
      boolean written = reports.write(report, storePath());
      logger().info(lastLine(report));
      boolean outOfTime = report.outcome() == Outcome.STOPPED && !signals.stop().isRequested();
      return (report.outcome().isSuccess() && !written) || outOfTime
          ? ExitStatus.WARNINGS
          : ExitStatus.of(report.outcome());
    }
  }

  private Options options() {
    try {
      return builder().build();
    } catch (IllegalArgumentException | TypeConversionException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Options.Builder builder() {
    Options.Builder builder =
        Options.builder(storePath())
            .action(action())
            .strategy(strategy)
            .batchSize(batchSize)
            .emptyIndexSet(allowEmpty ? Options.EmptyIndexSet.ALLOW : Options.EmptyIndexSet.REFUSE)
            .lockMode(lock)
            .patience(wait)
            .rewarm(rewarm)
            .workers(workers)
            .window(window)
            .continuation(journal.continuation(action()))
            .tripwires(tripwires.tripwires())
            .host(new PbsHost(pbsConfig, pbsRun, pbsTasks));
    if (cacheCapacity != null) {
      builder.cacheCapacity(cacheCapacity);
    }
    if (atimeCutoff != null) {
      builder.graceMinutes(atimeCutoff);
    }
    if (noAtimeSafetyCheck) {
      builder.atimeCheck(Options.AtimeCheckMode.SKIP);
    }
    warmAhead.ifPresent(builder::warmAhead);
    if (removalLog != null) {
      builder.removalLog(removalLog.toAbsolutePath().toString());
    }
    if (touchIfOlder != null) {
      builder.touchIfOlder(touchIfOlder);
    }
    if (spillDir != null) {
      builder.spillDirectory(spillDir.toString());
    }
    if (memory != null) {
      builder.memory(Quantity.count(memory));
    }
    return builder;
  }

  private String storePath() {
    return store.toAbsolutePath().normalize().toString();
  }

  private Options.Action action() {
    if (dryRun && emergency) {
      throw new ParameterException(
          spec.commandLine(), "--dry-run needs no --emergency: it writes nothing to the store");
    }
    if (emergency) {
      return Options.Action.EMERGENCY;
    }
    return dryRun ? Options.Action.DRY_RUN : Options.Action.COLLECT;
  }

  /* Fetched when it is needed: the first logger sets logging up, which --help has no use for. */
  private static Logger logger() {
    return LoggerFactory.getLogger("io.tidemark");
  }

  private static String lastLine(Report report) {
    return switch (report.outcome()) {
      case DONE -> "TASK OK";
      case WARNINGS -> "TASK WARNINGS: " + report.warningCount();
      default -> "TASK ERROR: " + report.error().orElse(report.outcome().label());
    };
  }
}
