package io.tidemark.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Takes what the program prints, until it is closed. */
final class Console implements AutoCloseable {
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream complained = new ByteArrayOutputStream();

  Console() {
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
  }

  /** Returns what was printed to standard output. */
  String printed() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  /** Returns what was printed to standard error. */
  String complained() {
    return complained.toString(StandardCharsets.UTF_8);
  }

  /** Forgets what was printed to standard output so far. */
  void reset() {
    printed.reset();
  }

  @Override
  public void close() {
    System.setOut(out);
    System.setErr(err);
  }
}
