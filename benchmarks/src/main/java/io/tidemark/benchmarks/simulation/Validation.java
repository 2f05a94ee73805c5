package io.tidemark.benchmarks.simulation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Compares the model with what benchmarks/cold/run measured. */
final class Validation {
  /* The stores that were measured have 6 groups, 5 snapshots each, and change by a tenth. */
  private static final int RECENT = 1 << 20;

  private Validation() {}

  private static List<String> lines() throws IOException {
    var file = Objects.requireNonNull(Validation.class.getResourceAsStream("measured.csv"));
    try (var reader = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.startsWith("#")).skip(1).toList();
    }
  }

  static void print(String only) throws IOException {
    System.out.println(
        "| store | fs | strategy | reads/chunk: measured | modelled | | writes/chunk: measured |"
            + " modelled | |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    Store store = null;
    List<Boolean> reads = new ArrayList<>();
    List<Boolean> writes = new ArrayList<>();
    for (String line : lines()) {
      String[] field = line.split(",");
      if (!only.isEmpty() && !List.of(only.split(",")).contains(field[1])) {
        continue;
      }
      Shape shape =
          new Shape(
              number(field[2]),
              number(field[3]),
              number(field[4]),
              number(field[5]),
              number(field[6]),
              6,
              5,
              0.1,
              0,
              0);
      if (store == null || !store.shape.equals(shape)) {
        store = new Store(shape);
      }
      Plan plan = Plan.of(field[9]);
      boolean all = plan.sweep == Plan.Sweep.ALL || plan.sweep == Plan.Sweep.ALL_AS_LISTED;
      double operations =
          field[1].equals("zfs")
              ? shape.used()
              : shape.used() + (all ? shape.chunks() : 0) + 4.0 * shape.old();
      Run.Figures figures =
          Run.simulate(
              store,
              new Run.Setting(
                  FileSystem.of(field[1]),
                  plan,
                  Math.max(1, number(field[10])),
                  RECENT,
                  number(field[7]) * 1_000_000L,
                  charge(field[1]),
                  operations / Double.parseDouble(field[11]),
                  (long) number(field[8]) << 20,
                  1));
      boolean markAlone = field[1].equals("zfs");
      double left = markAlone ? shape.used() : shape.used() + shape.young();
      long modelledReads = markAlone ? figures.markReads() : figures.reads();
      long modelledWrites = markAlone ? figures.markWrites() : figures.writes();
      reads.add(agrees(number(field[12]), modelledReads));
      writes.add(agrees(number(field[13]), modelledWrites));
      System.out.println(
          "| %s | %s | %s | %s | %s |"
              .formatted(
                  field[0],
                  field[1],
                  plan.label + (plan.hasBatches() ? " " + field[10] : ""),
                  compare(number(field[12]), modelledReads, left),
                  compare(number(field[13]), modelledWrites, left)));
    }
    System.out.printf(
        "%nWithin 20 %%: reads %d of %d, writes %d of %d.%n",
        Collections.frequency(reads, true),
        reads.size(),
        Collections.frequency(writes, true),
        writes.size());
  }

  private static boolean agrees(double measured, double modelled) {
    return Math.abs(modelled / measured - 1) <= 0.2;
  }

  private static String compare(double measured, double modelled, double chunks) {
    return String.format(
        Locale.ROOT,
        "%.4f | %.4f | %+.0f %%",
        measured / chunks,
        modelled / chunks,
        (modelled / measured - 1) * 100);
  }

  private static int number(String text) {
    return Integer.parseInt(text);
  }

  private static Cache.Charge charge(String fs) {
    return fs.equals("xfs") || fs.equals("btrfs") ? Cache.Charge.OBJECTS : Cache.Charge.ALL;
  }
}
