package io.tidemark.sweep;

import io.tidemark.posix.Errno;
import io.tidemark.report.Point;
import io.tidemark.report.Points;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import io.tidemark.report.StoppedException;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.EntryKind;
import java.util.List;

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
    if (stat(directory, w0, w1, w2, w3, kind) && directory.status().isRegular()) {
      boolean bad = EntryKind.isBad(kind);
      long size = directory.status().size();
      long atime = directory.status().atimeInNanos();
      switch (cutoff.verdict(directory.status().atimeSeconds())) {
        case KEEP -> counts.kept(bad, size);
        case PENDING -> counts.pending(bad, size);
        case REMOVE -> remove(directory, w0, w1, w2, w3, kind, size, atime);
      }
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

  private void remove(
      ChunkDirectory directory,
      long w0,
      long w1,
      long w2,
      long w3,
      int kind,
      long size,
      long atimeNanos) {
    boolean bad = EntryKind.isBad(kind);
    if (removal == Removal.PRETEND) {
      counts.removed(bad, size);
      return;
    }
    points.reach(Point.BEFORE_REMOVAL);
    failures.attempt();
    boolean aside = removal == Removal.SET_ASIDE && !bad;
    if (aside) {
      int result = retrying(() -> directory.setAside(w0, w1, w2, w3, kind));
      if (result < 0) {
        notRemoved(directory, w0, w1, w2, w3, kind, size, result);
        return;
      }
      points.reach(Point.SET_ASIDE);
    }
    int name = aside ? EntryKind.ASIDE : kind;
    int result = directory.stat(w0, w1, w2, w3, name);
    if (result == 0) {
      Cutoff.Verdict verdict = secondVerdict(directory, atimeNanos);
      if (verdict != Cutoff.Verdict.REMOVE) {
        keepAfterAll(directory, w0, w1, w2, w3, kind, aside, verdict);
        return;
      }
      points.reach(Point.BEFORE_UNLINK);
      result = retrying(() -> directory.unlink(w0, w1, w2, w3, name));
    }
    if (result == 0) {
      counts.removed(bad, size);
      failures.succeeded();
      points.reach(Point.UNLINKED);
      return;
    }
    if (aside && result != -Errno.ENOENT) {
      putBack(directory, w0, w1, w2, w3, kind);
    }
    notRemoved(directory, w0, w1, w2, w3, kind, size, result);
  }

  /* Whatever the clock says, a chunk whose access time has moved meanwhile is somebody's. */
  private Cutoff.Verdict secondVerdict(ChunkDirectory directory, long atimeNanos) {
    Cutoff.Verdict verdict = cutoff.verdict(directory.status().atimeSeconds());
    boolean moved = directory.status().atimeInNanos() != atimeNanos;
    return moved && verdict == Cutoff.Verdict.REMOVE ? Cutoff.Verdict.PENDING : verdict;
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

  private void notRemoved(
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
      return;
    }
    counts.failed++;
    counts.pending(EntryKind.isBad(kind), size);
    failures.failed(directory.path(w0, w1, w2, w3, kind), result);
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

  private int retrying(Attempt attempt) {
    int result = attempt.run();
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
