package io.tidemark.index;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.Point;
import io.tidemark.report.Points;
import io.tidemark.store.RefusedException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Marks the index files of one group, so that a backup or a prune meanwhile hides no chunk. */
final class GroupWalk {
  /*
   * A backup refers to chunks of the last finished snapshot without touching them, and keeps that
   * snapshot from being pruned until it is finished itself: at any time the old or the new index
   * files exist. So the snapshots are read newest first, and when an index file vanishes from the
   * last finished snapshot, or from a newer one, its successor may have come after the listing:
   * the group is listed and marked again. An older one may vanish: a newer one was read before it.
   *
   * PBS lists again only when it was the very newest snapshot. When that one is a backup still
   * running, without a manifest, its base is the second, and would be passed over.
   *
   * After ten times the group is locked, which keeps new backups out, and listed once more.
   */
  private static final int RETRIES = 10;

  private enum Outcome {
    DONE,
    CHANGED
  }

  private final SystemCalls calls;
  private final Listing listing;
  private final GroupLocks locks;
  private final Points points;
  private final Predicate<String> marker;

  /**
   * @param marker marks the index file with this path; false when there is none
   */
  GroupWalk(
      SystemCalls calls,
      Listing listing,
      GroupLocks locks,
      Points points,
      Predicate<String> marker) {
    this.calls = calls;
    this.listing = listing;
    this.locks = locks;
    this.points = points;
    this.marker = marker;
  }

  /** Marks all snapshots of the group; none when the group no longer exists. */
  void run(BackupGroup group) {
    for (int i = 0; i < RETRIES; i++) {
      if (markSnapshots(group) == Outcome.DONE) {
        return;
      }
    }
    try (GroupLock lock = locks.lock(group)) {
      if (markSnapshots(group) == Outcome.CHANGED) {
        throw new RefusedException(
            ("refused: the newest snapshot of the backup group %s vanished %d times while it was"
                    + " read, the last time in spite of the lock %s; nothing was removed:"
                    + " run again when nobody prunes this group")
                .formatted(group.path(), RETRIES + 1, lock.path()));
      }
    }
  }

  private Outcome markSnapshots(BackupGroup group) {
    boolean newerIsFinished = false;
    List<String> snapshots = snapshots(group);
    points.reach(Point.GROUP_LISTED);
    for (String snapshot : snapshots) {
      Optional<List<Listing.Entry>> files = list(group, snapshot);
      if (files.isEmpty() || !markFiles(snapshot, files.get())) {
        if (!newerIsFinished) {
          return Outcome.CHANGED;
        }
      } else {
        newerIsFinished |= isFinished(files.get());
      }
    }
    return Outcome.DONE;
  }

  /* Goes on after one that vanished: the others of its snapshot may be there still. */
  private boolean markFiles(String snapshot, List<Listing.Entry> files) {
    boolean complete = true;
    for (Listing.Entry file : files) {
      if (file.kind() == Listing.Kind.FILE && IndexLayout.names(file.name())) {
        complete &= marker.test(snapshot + "/" + file.name());
      }
    }
    return complete;
  }

  private static boolean isFinished(List<Listing.Entry> files) {
    return files.stream().anyMatch(file -> file.name().equals(BackupNames.MANIFEST));
  }

  /* Names of one form and length sort like the times that they spell. */
  private List<String> snapshots(BackupGroup group) {
    return list(group, group.path()).orElse(List.of()).stream()
        .filter(entry -> entry.isDirectory() && BackupNames.looksLikeSnapshot(entry.name()))
        .map(Listing.Entry::name)
        .filter(name -> checkDate(group, name))
        .sorted(Comparator.reverseOrder())
        .map(name -> group.path() + "/" + name)
        .toList();
  }

  private boolean checkDate(BackupGroup group, String name) {
    if (BackupNames.isDate(name)) {
      return true;
    }
    if (!exists(group)) {
      return false;
    }
    throw new RefusedException(
        ("refused: the name of %s/%s has the form of a snapshot but is no date, so the order of"
                + " the group is unknown; nothing was removed: rename it or move it away")
            .formatted(group.path(), name));
  }

  private Optional<List<Listing.Entry>> list(BackupGroup group, String directory) {
    try {
      return listing.list(directory);
    } catch (PosixException e) {
      /* On NFS a directory that somebody else removed can fail otherwise than with ENOENT. */
      if (exists(group)) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private boolean exists(BackupGroup group) {
    int flags = Open.AT_SYMLINK_NOFOLLOW;
    byte[] path = FileName.encode(group.path());
    return calls.statx(Open.AT_FDCWD, path, flags, new FileStatus()) != -Errno.ENOENT;
  }
}
