package io.tidemark.benchmarks.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.jr.ob.JSON;

/** The command line of the simulation: benchmarks/simulate. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Counts the physical reads and writes that a collection of a cold store would cost, by"
          + " strategy, batch size and cache size, in a model of the metadata cache.",
      "Numbers and sizes take k, M and G (powers of 1,024; of 1,000 in --chunks)."
    })
final class Simulate implements Callable<Integer> {
  /* The large images have that many times the chunks that the cache of recent digests holds. */
  private static final double BEYOND_RECENT = 1.3;

  @Option(names = "--fs", split = ",", defaultValue = "ext4", description = "ext4, xfs, btrfs, zfs")
  private List<String> fileSystems = List.of();

  @Option(names = "--chunks", defaultValue = "82M", description = "on disk (${DEFAULT-VALUE})")
  private String chunks = "";

  @Option(names = "--dirs", defaultValue = "65536", description = "(${DEFAULT-VALUE})")
  private int directories;

  @Option(
      names = "--garbage",
      defaultValue = "0.222",
      description = "share of the chunks that nothing requires (${DEFAULT-VALUE})")
  private double garbage;

  @Option(
      names = "--dedup",
      defaultValue = "10",
      description = "references for each chunk in use (${DEFAULT-VALUE})")
  private double dedup;

  @Option(names = "--groups", defaultValue = "160", description = "machines (${DEFAULT-VALUE})")
  private int groups;

  @Option(names = "--snapshots", defaultValue = "20", description = "of each (${DEFAULT-VALUE})")
  private int snapshots;

  @Option(
      names = "--large",
      defaultValue = "0.1",
      description =
          "share of the chunks in images that exceed the cache of recent digests"
              + " (${DEFAULT-VALUE}: 81 %% of the references hit it)")
  private double large;

  @Option(
      names = "--creation",
      defaultValue = "random",
      description = "order of inode numbers: random, the only one")
  private String creation = "";

  @Option(
      names = "--cache",
      split = ",",
      defaultValue = "16G,64G,256G",
      description = "memory for blocks, inodes and names (${DEFAULT-VALUE})")
  private List<String> caches = List.of();

  @Option(
      names = "--strategies",
      split = ",",
      defaultValue =
          "immediate,prefetch,deferred,ordered-directory,ordered-groups,ordered-name,ordered-handle",
      description = "(${DEFAULT-VALUE})")
  private List<String> strategies = List.of();

  @Option(
      names = "--batch-sizes",
      split = ",",
      defaultValue = "64k,256k,1M,4M,16M,64M,all",
      description = "of deferred, in references (${DEFAULT-VALUE})")
  private List<String> batchSizes = List.of();

  @Option(
      names = "--cache-capacity",
      defaultValue = "1048576",
      description = "of recent digests (${DEFAULT-VALUE})")
  private int recent;

  @Option(
      names = "--journal",
      defaultValue = "",
      description = "size of ext4's journal (1G) or the log of XFS (2G)")
  private String journal = "";

  @Option(
      names = "--rate",
      defaultValue = "1000",
      description =
          "operations a second, for what file systems write at intervals (${DEFAULT-VALUE})")
  private double rate;

  @Option(
      names = "--scale",
      defaultValue = "64",
      description =
          "makes chunks, directories, batches, caches, journal and rate smaller by this factor"
              + " (${DEFAULT-VALUE})")
  private int scale;

  @Option(names = "--json", description = "write all figures there")
  private Path json;

  @Option(
      names = "--validate",
      description = "print instead how the model compares with what was measured on small stores")
  private boolean validate;

  public static void main(String[] arguments) {
    CommandLine command = new CommandLine(new Simulate());
    command.setExecutionExceptionHandler(
        (failure, line, result) -> {
          if (!(failure instanceof IllegalArgumentException)) {
            throw failure;
          }
          System.err.println("simulate: " + failure.getMessage());
          return CommandLine.ExitCode.USAGE;
        });
    System.exit(command.execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    if (!creation.equals("random")) {
      throw new IllegalArgumentException("--creation: only random is simulated");
    }
    if (validate) {
      Validation.print(String.join(",", fileSystems));
      return 0;
    }
    Shape shape = shape();
    Store store = new Store(shape);
    System.out.printf(
        Locale.ROOT,
        "%s chunks in %d directories, %.0f %% garbage, dedup %.1f; simulated at 1/%d of the size:"
            + " %d chunks, %d directories, batches and caches as much smaller.%n",
        chunks,
        directories,
        garbage * 100,
        dedup,
        scale,
        shape.chunks(),
        shape.directories());
    List<Map<String, Object>> results = new ArrayList<>();
    for (String fs : fileSystems) {
      List<ResultTable.Row> rows = new ArrayList<>();
      for (Variant variant : variants(FileSystem.of(fs).kind())) {
        List<Run.Figures> figures = new ArrayList<>();
        for (String cache : caches) {
          Run.Figures result = run(store, fs, variant, Quantities.parse(cache));
          figures.add(result);
          results.add(describe(fs, cache, variant, shape, result));
        }
        rows.add(new ResultTable.Row(variant.plan.label, variant.batch, figures));
      }
      System.out.print(ResultTable.render(fs, caches, rows, shape.used()));
    }
    if (json != null) {
      Files.writeString(json, JSON.std.asString(Map.of("simulation", results)) + "\n");
    }
    return 0;
  }

  private Shape shape() {
    long all = Quantities.count(chunks) / scale;
    int used = (int) (all * (1 - garbage));
    double change = Math.max(0, (snapshots / dedup - 1) / (snapshots - 1));
    return new Shape(
        used,
        (int) all - used,
        0,
        Math.max(1, directories / scale),
        0,
        groups,
        snapshots,
        change,
        large,
        Math.max(1, (int) (recent * BEYOND_RECENT / scale)));
  }

  private record Variant(Plan plan, String batch) {}

  private List<Variant> variants(FileSystem.Kind kind) {
    List<Variant> variants = new ArrayList<>();
    for (String strategy : strategies) {
      Plan plan = Plan.of(strategy);
      if (!plan.isFor(kind)) {
        continue;
      }
      if (plan.hasBatches()) {
        batchSizes.forEach(size -> variants.add(new Variant(plan, size)));
      } else {
        variants.add(new Variant(plan, ""));
      }
    }
    return variants;
  }

  private Run.Figures run(Store store, String fs, Variant variant, long cacheBytes) {
    FileSystem kind = FileSystem.of(fs);
    String journalSize =
        !journal.isEmpty() ? journal : kind.kind() == FileSystem.Kind.XFS ? "2G" : "1G";
    return Run.simulate(
        store,
        new Run.Setting(
            kind,
            variant.plan,
            batch(variant.batch),
            recent / scale,
            cacheBytes / scale,
            Cache.Charge.ALL,
            rate / scale,
            Quantities.parse(journalSize) / scale,
            scale));
  }

  private int batch(String size) {
    return size.isEmpty() || size.equals("all")
        ? Integer.MAX_VALUE
        : (int) Math.max(1, Quantities.parse(size) / scale);
  }

  private Map<String, Object> describe(
      String fs, String cache, Variant variant, Shape shape, Run.Figures figures) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("fs", fs);
    result.put("cache", cache);
    result.put("strategy", variant.plan.label);
    result.put("batch-size", variant.batch);
    result.put("scale", scale);
    result.put("chunks", shape.chunks());
    result.put("used", shape.used());
    result.put("references", figures.references());
    result.put("touches", figures.touches());
    result.put("mark-reads", figures.markReads());
    result.put("mark-read-bytes", figures.markReadBytes());
    result.put("mark-writes", figures.markWrites());
    result.put("reads", figures.reads());
    result.put("read-bytes", figures.readBytes());
    result.put("writes", figures.writes());
    result.put("written-bytes", figures.writtenBytes());
    result.put("metadata-bytes", figures.metadataBytes());
    return result;
  }
}
