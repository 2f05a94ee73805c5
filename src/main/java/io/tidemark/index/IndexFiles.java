package io.tidemark.index;

import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.Point;
import io.tidemark.report.Points;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import io.tidemark.store.PbsHost;
import java.util.HashSet;
import java.util.Set;

/** The index files of one datastore: finds all of them and passes on every digest they hold. */
public final class IndexFiles {
  /*
   * A walk over the whole tree finds what there is, wherever it lies. Then the groups are read
   * live, each newest snapshot first, in the order that lets no backup slip through; what the walk
   * found and the groups did not have comes next, and last what was moved meanwhile. A file that
   * cannot be read to its end stops the run: its chunks are unknown.
   */
  private final SystemCalls calls;
  private final String base;
  private final String storeName;
  private final PbsHost host;
  private final StopToken stop;
  private final RunLog log;
  private final Points points;
  private final Owners owners = new Owners();
  private final IndexProgress progress = new IndexProgress();
  private Set<String> found = new HashSet<>();

  /**
   * @param calls those of the thread that will read
   * @param base the datastore's directory, absolute
   * @param storeName the datastore's name, under which PBS keeps its locks
   */
  public IndexFiles(
      SystemCalls calls, String base, String storeName, PbsHost host, StopToken stop, RunLog log) {
    this(calls, base, storeName, host, stop, log, Points.NONE);
  }

  /**
   * @param calls those of the thread that will read
   * @param base the datastore's directory, absolute
   * @param storeName the datastore's name, under which PBS keeps its locks
   * @param points is told of each step
   */
  public IndexFiles(
      SystemCalls calls,
      String base,
      String storeName,
      PbsHost host,
      StopToken stop,
      RunLog log,
      Points points) {
    this.calls = calls;
    this.base = withoutClosingSlash(base);
    this.storeName = storeName;
    this.host = host;
    this.stop = stop;
    this.log = log;
    this.points = points;
  }

  /** Walks the tree and returns how many index files it has, without opening any. */
  public int discover() {
    try (Listing listing = new Listing(calls, stop)) {
      found = new TreeWalk(calls, listing, log).run(base);
    }
    progress.discovered(found.size());
    return found.size();
  }

  /** Returns how large the files that {@link #discover} found are, without opening any. */
  public IndexSizes sizes() {
    IndexSizes sizes = IndexSizes.NONE;
    FileStatus status = new FileStatus();
    for (String path : found) {
      stop.check();
      if (calls.statx(Open.AT_FDCWD, FileName.encode(path), 0, status) == 0) {
        sizes = sizes.with(path, status.size());
      }
    }
    return sizes;
  }

  /**
   * Passes the digests of every index file on; to be called once, after {@link #discover}.
   *
   * @throws CorruptIndexException when an index file cannot be trusted
   * @throws io.tidemark.posix.PosixException when something cannot be read
   * @throws io.tidemark.store.RefusedException when the tree has a form that hides chunks
   * @throws io.tidemark.store.BusyException when a group or the journal stays locked
   */
  public IndexTotals mark(IndexVisitor visitor) {
    IndexMarker marker =
        new IndexMarker(calls, stop, log, points, found, visitor, owners, progress);
    try (Listing listing = new Listing(calls, stop)) {
      GroupLocks locks = new GroupLocks(calls, host, storeName);
      GroupWalk groups = new GroupWalk(calls, listing, locks, points, marker::markExpected);
      new NamespaceWalk(listing, groups::run).run(base);
    }
    points.reach(Point.BEFORE_LEFT_OVER);
    marker.markLeftOver();
    points.reach(Point.BEFORE_JOURNAL);
    new MoveJournal(calls, host, storeName, stop).read(marker::mark);
    return marker.totals();
  }

  /** Returns the path of the index file that the visitor was told of as {@code owner}. */
  public String path(int owner) {
    return owners.path(owner);
  }

  /** Returns the counters of this reading, to be looked at from any thread. */
  public IndexProgress progress() {
    return progress;
  }

  private static String withoutClosingSlash(String base) {
    int end = base.length();
    while (end > 0 && base.charAt(end - 1) == '/') {
      end--;
    }
    return base.substring(0, end);
  }
}
