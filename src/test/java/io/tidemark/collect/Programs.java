package io.tidemark.collect;

import java.io.IOException;

/** Programs of the system that tests need, where there are any. */
public final class Programs {
  private static final int MISSING = 127;

  private Programs() {}

  /** Runs a program to its end, without its output, and returns its exit status; 127: none. */
  public static int run(String... line) throws IOException, InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(line)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      return MISSING;
    }
    return process.waitFor();
  }
}
