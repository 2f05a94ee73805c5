package io.tidemark.collect;

/** Writes the one line that says why a run ended, what was done and what was not. */
final class Failure {
  private Failure() {}

  static String line(RunState state, String why) {
    String message = why.replace('\n', ' ');
    if (state.removals.attempted()) {
      return message
          + "; the sweep ended there, "
          + state.counts.removedChunks
          + " chunks had been removed; every chunk in use is kept, and the next run goes on";
    }
    if (message.startsWith("cannot touch") && message.matches(".*: (ENOSPC|EDQUOT) .*")) {
      return message + "; nothing was removed; --emergency frees space without touching anything";
    }
    // Refusals say so themselves, since they also say what to do.
    return message.contains("othing was") ? message : message + "; nothing was removed";
  }

  static String stopped(RunState state) {
    if (!state.stop.isRequested()) {
      return "stopped after the time that it may take; %d chunks have been removed; run it again"
              .formatted(state.counts.removedChunks)
          + " with --resume to go on";
    }
    return state.removals.attempted()
        ? "stopped on request; "
            + state.counts.removedChunks
            + " chunks had been removed; the next run goes on"
        : "stopped on request; nothing was removed";
  }

  static String unexpected(Throwable thrown) {
    if (thrown instanceof OutOfMemoryError) {
      return "out of memory: give the JVM more (JDK_JAVA_OPTIONS=-Xmx...) or lower --batch-size"
          + " or --cache-capacity";
    }
    StackTraceElement[] trace = thrown.getStackTrace();
    return "internal error, please report it: "
        + thrown
        + (trace.length == 0 ? "" : " at " + trace[0]);
  }
}
