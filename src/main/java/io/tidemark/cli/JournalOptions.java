package io.tidemark.cli;

import io.tidemark.collect.Continuation;
import io.tidemark.collect.Options;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say whether a collection can be continued, and when it stops. */
final class JournalOptions {
  @Option(
      names = "--resume",
      description =
          "Keep a journal, and continue an interrupted run that has kept one, with its cutoff.")
  private boolean resume;

  @Option(
      names = "--max-duration",
      paramLabel = "DURATION",
      converter = Quantity.Span.class,
      description =
          "Stop after this time, such as 4h, and leave a journal for --resume (default: never).")
  private @Nullable Duration maxDuration;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description =
          "Where the journal is (default: /var/lib/tidemark, or the user's own state directory).")
  private @Nullable Path stateDir;

  @Option(
      names = "--journal-every",
      paramLabel = "DURATION",
      hidden = true,
      converter = Quantity.Span.class)
  private @Nullable Duration journalEvery;

  @Option(names = "--journal-step", paramLabel = "N", hidden = true)
  private int journalStep = Continuation.MOST_TOUCHES;

  /**
   * Returns what they say for a run that does {@code action}. A finished run without a journal
   * looks for an old one as well, which it has made pointless.
   *
   * @throws IllegalArgumentException when that makes no sense
   */
  Continuation continuation(Options.Action action) {
    Path directory = stateDir == null ? StateDirectory.standard() : stateDir;
    Continuation continuation =
        Continuation.NONE.journal(mode(action), directory.toAbsolutePath().toString());
    if (maxDuration != null) {
      continuation = continuation.stoppingAfter(maxDuration);
    }
    return journalEvery == null ? continuation : continuation.noting(journalEvery, journalStep);
  }

  private Continuation.Mode mode(Options.Action action) {
    if (action != Options.Action.COLLECT || (!resume && maxDuration == null)) {
      return Continuation.Mode.NONE;
    }
    return resume ? Continuation.Mode.RESUME : Continuation.Mode.KEEP;
  }
}
