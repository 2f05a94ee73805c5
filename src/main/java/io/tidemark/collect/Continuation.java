package io.tidemark.collect;

import java.time.Duration;
import java.util.Optional;

/**
 * Says whether a collection notes how far it has come, so that another can continue it.
 *
 * @param mode whether there is a journal
 * @param stateDirectory where the journal is; also where a finished run looks for an old one
 * @param longest when to stop and leave the rest to another run; empty: never
 * @param every how often to note the progress; empty: rarely enough to cost little
 * @param step after how many touches, at most, that is possible
 */
public record Continuation(
    Mode mode,
    Optional<String> stateDirectory,
    Optional<Duration> longest,
    Optional<Duration> every,
    int step) {
  public static final int MOST_TOUCHES = 1 << 17;

  /** Whether there is a journal. */
  public enum Mode {
    /** None is kept, and an old one is left unread. */
    NONE,
    /** One is kept, and an old one is left unread. */
    KEEP,
    /** One is kept, and an old one is continued. */
    RESUME
  }

  /** No journal, no end. */
  public static final Continuation NONE =
      new Continuation(
          Mode.NONE, Optional.empty(), Optional.empty(), Optional.empty(), MOST_TOUCHES);

  public Continuation {
    if (mode != Mode.NONE && stateDirectory.isEmpty()) {
      throw new IllegalArgumentException("a journal needs a state directory");
    }
    if (step < 1 || step > MOST_TOUCHES) {
      throw new IllegalArgumentException(
          "the step is " + step + "; it must be 1 to " + MOST_TOUCHES);
    }
  }

  /** Returns the same with a journal in {@code directory}, kept or continued. */
  public Continuation journal(Mode newMode, String directory) {
    return new Continuation(newMode, Optional.of(directory), longest, every, step);
  }

  /** Returns the same with an end. */
  public Continuation stoppingAfter(Duration time) {
    return new Continuation(mode, stateDirectory, Optional.of(time), every, step);
  }

  /** Returns the same with progress noted so often. */
  public Continuation noting(Duration interval, int touches) {
    return new Continuation(mode, stateDirectory, longest, Optional.of(interval), touches);
  }
}
