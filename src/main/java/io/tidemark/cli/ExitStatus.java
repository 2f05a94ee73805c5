package io.tidemark.cli;

import io.tidemark.collect.Outcome;

/** The exit statuses that scripts rely on. */
final class ExitStatus {
  static final int DONE = 0;
  static final int WARNINGS = 1;
  static final int USAGE = 2;
  static final int REFUSED = 3;
  static final int FAILED = 4;
  static final int BUSY = 5;

  /** That of a program ended by SIGINT; when a signal ends the JVM, the JVM sets its own. */
  static final int STOPPED = 130;

  private ExitStatus() {}

  static int of(Outcome outcome) {
    return switch (outcome) {
      case DONE -> DONE;
      case WARNINGS -> WARNINGS;
      case REFUSED -> REFUSED;
      case FAILED -> FAILED;
      case BUSY -> BUSY;
      case STOPPED -> STOPPED;
    };
  }
}
