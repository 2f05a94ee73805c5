package io.tidemark.sweep;

import io.tidemark.log.Fate;
import io.tidemark.log.RemovalLog;
import io.tidemark.log.Removals;
import io.tidemark.posix.Errno;
import io.tidemark.report.Point;
import io.tidemark.report.Points;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import io.tidemark.report.StoppedException;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.EntryKind;
import java.util.List;
import java.util.Optional;

/** Decides, file by file, what goes and what stays, and removes what goes; for one thread. */
public final class Sweeper {
  /*
   * Between a look at a chunk and its unlink, a backup in another process may find the chunk,
   * touch it and rely on it. So it is first renamed to a private name, where no backup finds it,
   * and looked at again: untouched, it is unlinked; touched, it gets its name back (or is dropped
   * when the backup has written it anew meanwhile). A backup that comes in between fails to find
   * the chunk, which loses nothing. A corrupt copy (.bad) is never set aside: put back after a
   * crash, it would pass for the chunk.
   *
   * On a full copy-on-write file system an unlink can fail with ENOSPC and work a little later.
   *
   * With a removal log, what is to go from a directory is gathered, written down, and then removed.
   */
  private static final List<Long> BACK_OFF_MILLIS = List.of(5_000L, 10_000L, 20_000L);

  private final Cutoff cutoff;
  private final Removal removal;
  private final RemovalFailures failures;
  private final StopToken stop;
  private final RunLog log;
  private final Points points;
  private final List<Long> backOffMillis;
  private final SweepCounts counts = new SweepCounts();
  private Age age = Age.ACCESS;
  private Optional<RemovalLog> removalLog = Optional.empty();
  private Optional<Removals> gathered = Optional.empty();

  public Sweeper(
      Cutoff cutoff,
      Removal removal,
      RemovalFailures failures,
      StopToken stop,
      RunLog log,
      Points points) {
    this(cutoff, removal, failures, stop, log, points, BACK_OFF_MILLIS);
  }

  /**
   * @param backOffMillis the pauses before an unlink is tried again that had no space
   */
  Sweeper(
      Cutoff cutoff,
      Removal removal,
      RemovalFailures failures,
      StopToken stop,
      RunLog log,
      Points points,
      List<Long> backOffMillis) {
    this.cutoff = cutoff;
    this.removal = removal;
    this.failures = failures;
    this.stop = stop;
    this.log = log;
    this.points = points;
    this.backOffMillis = backOffMillis;
  }

  /** Writes down in {@code log}, if there is one, what goes; returns this. */
  public Sweeper announcingIn(Optional<RemovalLog> log) {
    removalLog = log;
    gathered = log.map(present -> new Removals());
    return this;
  }

  /** Lets {@code other} say when a chunk was used last; returns this. */
  public Sweeper judgingBy(Age other) {
    age = other;
    return this;
  }

  /** Returns the counters of this thread. */
  public SweepCounts counts() {
    return counts;
  }

  /** Deals with an entry of the open directory that nothing is known of but its name. */
  public void entry(ChunkDirectory directory, long w0, long w1, long w2, long w3, int kind) {
    stop.check();
    if (kind == EntryKind.USING) {
      removeMarker(directory, w0, w1, w2, w3);
      return;
    }
    if (judge(directory, w0, w1, w2, w3, kind) != Cutoff.Verdict.REMOVE) {
      return;
    }
    if (gathered.isPresent()) {
      gather(gathered.get(), directory, w0, w1, w2, w3, kind);
    } else {
      remove(directory, w0, w1, w2, w3, kind, directory.status().size());
    }
  }

  /**
   * Looks at an entry of the open directory that nothing requires, and counts it unless it goes.
   *
   * @return what becomes of it; an entry that is gone, or no file, is kept
   */
  public Cutoff.Verdict judge(
      ChunkDirectory directory, long w0, long w1, long w2, long w3, int kind) {
    stop.check();
    if (!stat(directory, w0, w1, w2, w3, kind) || !directory.status().isRegular()) {
      return Cutoff.Verdict.KEEP;
    }
    Cutoff.Verdict verdict = cutoff.verdict(age.seconds(directory.status()));
    switch (verdict) {
      case KEEP -> counts.kept(EntryKind.isBad(kind), directory.status().size());
      case PENDING -> counts.pending(EntryKind.isBad(kind), directory.status().size());
      case REMOVE -> {}
    }
    return verdict;
  }

  private void gather(
      Removals batch, ChunkDirectory directory, long w0, long w1, long w2, long w3, int kind) {
    long atime = directory.status().atimeSeconds();
    batch.add(w0, w1, w2, w3, kind, directory.status().size(), atime);
    if (batch.isFull()) {
      endDirectory(directory);
    }
  }

  /** Removes what has been gathered in the open directory; to be called before the next one. */
  public void endDirectory(ChunkDirectory directory) {
    if (removalLog.isPresent() && gathered.isPresent() && gathered.get().size() > 0) {
      announceAndRemove(removalLog.get(), gathered.get(), directory);
    }
  }

  private void announceAndRemove(RemovalLog into, Removals batch, ChunkDirectory directory) {
    long number = into.announce(directory.calls(), batch);
    try {
      for (int row = 0; row < batch.size(); row++) {
        stop.check();
        batch.setFate(row, Fate.FAILED); // when it throws
        Fate fate =
            remove(
                directory,
                batch.word(row, 0),
                batch.word(row, 1),
                batch.word(row, 2),
                batch.word(row, 3),
                batch.kind(row),
                batch.bytes(row));
        batch.setFate(row, fate);
      }
    } finally {
      into.confirm(number, batch);
      batch.clear();
    }
  }

  /** Counts an entry of the open directory that is in use, whatever its access time. */
  public void inUse(ChunkDirectory directory, long w0, long w1, long w2, long w3, int kind) {
    stop.check();
    if (stat(directory, w0, w1, w2, w3, kind) && directory.status().isRegular()) {
      counts.kept(EntryKind.isBad(kind), directory.status().size());
    }
  }

  private boolean stat(ChunkDirectory directory, long w0, long w1, long w2, long w3, int kind) {
    int result = directory.stat(w0, w1, w2, w3, kind);
    if (result == -Errno.ENOENT) {
      counts.gone++;
    } else if (result < 0) {
      String path = directory.path(w0, w1, w2, w3, kind);
      log.warn(
          "stat-failed",
          "warning: unable to examine chunk " + path + ": " + Errno.describe(-result) + "; kept",
          path);
    }
    return result == 0;
  }

  private Fate remove(
      ChunkDirectory directory, long w0, long w1, long w2, long w3, int kind, long size) {
    boolean bad = EntryKind.isBad(kind);
    if (removal == Removal.PRETEND) {
      counts.removed(bad, size);
      return Fate.REMOVED;
    }
    points.reach(Point.BEFORE_REMOVAL);
    failures.attempt();
    boolean aside = removal == Removal.SET_ASIDE && !bad;
    if (aside) {
      int result = directory.setAside(w0, w1, w2, w3, kind);
      if (result == -Errno.ENOSPC) {
        result = retry(() -> directory.setAside(w0, w1, w2, w3, kind));
      }
      if (result < 0) {
        return notRemoved(directory, w0, w1, w2, w3, kind, size, result);
      }
      points.reach(Point.SET_ASIDE);
    }
    int name = aside ? EntryKind.ASIDE : kind;
    int result = directory.stat(w0, w1, w2, w3, name);
    if (result == 0) {
      Cutoff.Verdict verdict = cutoff.verdict(age.seconds(directory.status()));
      if (verdict != Cutoff.Verdict.REMOVE) {
        keepAfterAll(directory, w0, w1, w2, w3, kind, aside, verdict);
        return Fate.TOUCHED;
      }
      points.reach(Point.BEFORE_UNLINK);
      result = directory.unlink(w0, w1, w2, w3, name);
      if (result == -Errno.ENOSPC) {
        result = retry(() -> directory.unlink(w0, w1, w2, w3, name));
      }
    }
    if (result == 0) {
      counts.removed(bad, size);
      failures.succeeded();
      points.reach(Point.UNLINKED);
      return Fate.REMOVED;
    }
    if (aside && result != -Errno.ENOENT) {
      putBack(directory, w0, w1, w2, w3, kind);
    }
    return notRemoved(directory, w0, w1, w2, w3, kind, size, result);
  }

  private void keepAfterAll(
      ChunkDirectory directory,
      long w0,
      long w1,
      long w2,
      long w3,
      int kind,
      boolean aside,
      Cutoff.Verdict verdict) {
    long size = directory.status().size();
    if (aside) {
      putBack(directory, w0, w1, w2, w3, kind);
    }
    if (verdict == Cutoff.Verdict.KEEP) {
      counts.kept(EntryKind.isBad(kind), size);
    } else {
      counts.pending(EntryKind.isBad(kind), size);
    }
  }

  private void putBack(ChunkDirectory directory, long w0, long w1, long w2, long w3, int kind) {
    points.reach(Point.BEFORE_PUT_BACK);
    int result = directory.putBack(w0, w1, w2, w3, kind);
    if (result == -Errno.EEXIST) {
      directory.unlink(w0, w1, w2, w3, EntryKind.ASIDE);
    } else if (result < 0) {
      String path = directory.path(w0, w1, w2, w3, EntryKind.ASIDE);
      log.warn(
          "put-back-failed",
          "warning: unable to give "
              + path
              + " its name back: "
              + Errno.describe(-result)
              + "; the next run tries again",
          path);
    }
  }

  private Fate notRemoved(
      ChunkDirectory directory,
      long w0,
      long w1,
      long w2,
      long w3,
      int kind,
      long size,
      int result) {
    if (result == -Errno.ENOENT) {
      counts.gone++;
      return Fate.GONE;
    }
    counts.failed++;
    counts.pending(EntryKind.isBad(kind), size);
    failures.failed(directory.path(w0, w1, w2, w3, kind), result);
    return Fate.FAILED;
  }

  private void removeMarker(ChunkDirectory directory, long w0, long w1, long w2, long w3) {
    if (removal != Removal.PRETEND) {
      failures.attempt();
      int result = directory.unlink(w0, w1, w2, w3, EntryKind.USING);
      if (result < 0 && result != -Errno.ENOENT) {
        failures.failed(directory.path(w0, w1, w2, w3, EntryKind.USING), result);
        return;
      }
    }
    counts.markers++;
  }

  /** One attempt at a change of a directory. */
  private interface Attempt {
    int run();
  }

  /* Apart from the first attempt, so that only one that has failed costs an object. */
  private int retry(Attempt attempt) {
    int result = -Errno.ENOSPC;
    for (int i = 0; result == -Errno.ENOSPC && i < backOffMillis.size(); i++) {
      try {
        stop.sleep(backOffMillis.get(i));
      } catch (StoppedException e) {
        return result; // what was set aside is put back first; the next entry ends the sweep
      }
      result = attempt.run();
    }
    return result;
  }
}
