package io.tidemark.collect;

import io.tidemark.journal.Checkpoint;
import io.tidemark.journal.JournalCheck;
import io.tidemark.journal.JournalFile;
import io.tidemark.journal.Origin;
import io.tidemark.journal.StoreMark;
import io.tidemark.journal.UnusableJournalException;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.Point;
import io.tidemark.store.ChunkStore;
import io.tidemark.sweep.Cutoff;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The journal of one run: in the state directory the file, and on the store its mark. */
final class RunJournal {
  private final RunState state;
  private final ChunkStore store;
  private final Optional<JournalFile> file;
  private final StoreMark mark;
  private boolean kept;
  private Optional<Checkpoint> earlier = Optional.empty();
  private Optional<StoreMark.Content> found = Optional.empty();

  RunJournal(RunState state, Settings settings, SystemCalls calls, ChunkStore store) {
    this.state = state;
    this.store = store;
    Continuation wanted = state.options.continuation();
    boolean collects = state.options.action() == Options.Action.COLLECT;
    file =
        wanted
            .stateDirectory()
            .filter(directory -> collects)
            .map(
                directory ->
                    JournalFile.of(Path.of(directory), settings.storeName(), store.base()));
    mark = new StoreMark(calls, store.descriptor());
    kept = file.isPresent() && wanted.mode() != Continuation.Mode.NONE;
  }

  /**
   * Looks for the journal of an interrupted run, and says what becomes of it.
   *
   * @param start of this run, in seconds by the file system's clock
   * @param setBackSeconds by how much the clock may have been set back
   */
  void open(long start, long setBackSeconds) {
    if (kept && !store.isOneFileSystem()) {
      state.log.info(
          store.chunksPath() + " is on more than one file system: no journal is kept of this run");
      kept = false;
    }
    if (!kept || state.options.continuation().mode() != Continuation.Mode.RESUME) {
      return;
    }
    String refusal = read(start, setBackSeconds);
    if (!refusal.isEmpty()) {
      String path = file.map(JournalFile::path).map(Path::toString).orElse("");
      state.log.warn(
          "journal-ignored",
          "warning: the journal %s is ignored: %s; this run starts from the beginning"
              .formatted(path, refusal),
          path);
      earlier = Optional.empty();
    } else if (earlier.isEmpty()) {
      state.log.info("No interrupted run to continue: this one starts from the beginning");
    }
  }

  private String read(long start, long setBackSeconds) {
    try {
      earlier = file.isEmpty() ? Optional.empty() : file.get().read();
    } catch (UnusableJournalException e) {
      return String.valueOf(e.getMessage());
    }
    JournalCheck check =
        new JournalCheck(
            store.base(),
            store.chunksStatus().inode(),
            state.options.strategy().resolved().label(),
            start,
            setBackSeconds);
    found = mark.read();
    return earlier.flatMap(checkpoint -> check.refusal(checkpoint, found)).orElse("");
  }

  /** Tells whether this run keeps a journal. */
  boolean isKept() {
    return kept;
  }

  /** Returns what an interrupted run has left to be continued. */
  Optional<Checkpoint> earlier() {
    return earlier;
  }

  /** Returns the highest number that a checkpoint of the run may have had, noted or not. */
  long lastSequence() {
    return earlier.isPresent() ? found.map(StoreMark.Content::sequence).orElse(0L) : 0;
  }

  /** Returns the run that this one continues, or else itself. */
  Origin origin(Cutoff cutoff, long start) {
    return earlier
        .map(Checkpoint::origin)
        .orElseGet(
            () ->
                new Origin(
                    UUID.randomUUID().toString(),
                    store.base(),
                    store.chunksStatus().inode(),
                    state.options.strategy().resolved().label(),
                    start,
                    cutoff.oldestWriterSeconds(),
                    cutoff.minimumAtimeSeconds()));
  }

  /**
   * Notes a checkpoint; when that fails, the run goes on without a journal.
   *
   * @param durable makes what it claims durable
   */
  void note(Checkpoint checkpoint, Runnable durable) {
    if (!kept) {
      return;
    }
    state.points.reach(Point.BEFORE_CHECKPOINT);
    FileStatus owner = store.chunksStatus();
    int marked = mark.write(checkpoint.origin().run(), checkpoint.sequence(), owner);
    if (marked < 0) {
      giveUp(store.chunksPath() + "/" + StoreMark.NAME, Errno.describe(-marked));
      return;
    }
    durable.run();
    state.points.reach(Point.CHECKPOINT_DURABLE);
    JournalFile journal = file.orElseThrow();
    try {
      journal.write(checkpoint);
    } catch (IOException e) {
      giveUp(journal.path().toString(), e.toString());
      return;
    }
    state.points.reach(Point.CHECKPOINT_NOTED);
  }

  private void giveUp(String path, String why) {
    kept = false;
    state.log.warn(
        "journal-not-written",
        "warning: cannot write %s: %s; the run goes on, and could not be continued from here"
            .formatted(path, why),
        path);
  }

  /** Removes the journal of a run that is finished, or that a finished run has made pointless. */
  void discard() {
    if (file.isEmpty()) {
      return;
    }
    try {
      file.get().delete();
    } catch (IOException e) {
      state.log.info("cannot remove the journal " + file.get().path() + ": " + e);
    }
    state.points.reach(Point.JOURNAL_DISCARDED);
    mark.delete();
  }

  /** Says since when the run that this one continues has been going on. */
  void logEarlier(Cutoff cutoff) {
    earlier.ifPresent(
        checkpoint ->
            state.log.info(
                "Continuing the run that began at %s, with its minimum access time %s"
                    .formatted(
                        Instant.ofEpochSecond(checkpoint.origin().startSeconds()),
                        Instant.ofEpochSecond(cutoff.minimumAtimeSeconds()))));
  }
}
