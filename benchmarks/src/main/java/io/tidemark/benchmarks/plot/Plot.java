package io.tidemark.benchmarks.plot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.jr.ob.JSON;

/**
 * Draws PNG files: into a directory, from files that cold/run or simulate wrote.
 *
 * <pre>benchmarks/plot DIRECTORY FILE.json...</pre>
 */
final class Plot {
  private Plot() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 2) {
      System.err.println("plot DIRECTORY FILE.json...: from what cold/run or simulate wrote");
      System.exit(2);
    }
    Path directory = Files.createDirectories(Path.of(arguments[0]));
    for (int i = 1; i < arguments.length; i++) {
      Path file = Path.of(arguments[i]);
      Map<String, Object> result = JSON.std.mapFrom(Files.readString(file));
      Path name = file.getFileName();
      String stem = (name == null ? file : name).toString().replaceFirst("\\.json$", "");
      if (result.containsKey("simulation")) {
        new SimulationPlots(directory, result).draw();
      } else {
        new ColdPlots(directory, stem, result).draw();
      }
    }
  }
}
