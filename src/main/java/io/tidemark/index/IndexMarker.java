package io.tidemark.index;

import io.tidemark.posix.SystemCalls;
import io.tidemark.report.Point;
import io.tidemark.report.Points;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Reads index files into a visitor and counts them: the expected ones, and what is left over. */
final class IndexMarker {
  private final SystemCalls calls;
  private final StopToken stop;
  private final RunLog log;
  private final Points points;
  private final Set<String> unread;
  private final IndexVisitor visitor;
  private final Owners owners;
  private final IndexProgress progress;
  private final byte[] block = new byte[IndexFile.BLOCK_BYTES];
  private long bytes;
  private long expectedDone;
  private long lastPercentage;

  /**
   * @param unread the paths that the tree walk found; each is taken out when it is read
   */
  IndexMarker(
      SystemCalls calls,
      StopToken stop,
      RunLog log,
      Points points,
      Set<String> unread,
      IndexVisitor visitor,
      Owners owners,
      IndexProgress progress) {
    this.calls = calls;
    this.stop = stop;
    this.log = log;
    this.points = points;
    this.unread = unread;
    this.visitor = visitor;
    this.owners = owners;
    this.progress = progress;
  }

  /** Marks an index file found where one belongs; false when there is none. */
  boolean markExpected(String path) {
    boolean repeated = owners.contains(path);
    boolean exists = mark(path);
    boolean found = unread.remove(path);
    if (exists && !repeated) {
      if (!found) {
        log.info(
            "Encountered new index file '%s', increment total index file count".formatted(path));
        progress.addTotal();
      }
      logProgress();
    }
    return exists;
  }

  /** Marks what the tree walk found and nobody has read since, in the order of the paths. */
  void markLeftOver() {
    int strange = 0;
    for (String path : new TreeSet<>(unread)) {
      if (mark(path)) {
        log.warn(
            "unexpected-index",
            "Marked chunks for unexpected index file at '%s'".formatted(path),
            path);
        strange++;
      }
    }
    if (strange > 0) {
      log.warn(
          "unexpected-indexes",
          "Found %d index files outside of expected directory scheme".formatted(strange),
          "");
    }
    unread.clear();
  }

  /*
   * A file that is read again, because its group changed or the journal names it, keeps its number
   * and is counted once. PBS counts it each time and reports it as new.
   */
  boolean mark(String path) {
    stop.check();
    points.reach(Point.BEFORE_INDEX);
    Optional<IndexFile> opened = IndexFile.open(calls, path, block);
    if (opened.isEmpty()) {
      return false;
    }
    try (IndexFile file = opened.get()) {
      points.reach(Point.INDEX_OPENED);
      boolean repeated = owners.contains(path);
      long image = read(file, owners.of(path));
      if (!repeated) {
        progress.addDone();
        bytes = bytes + image < 0 ? Long.MAX_VALUE : bytes + image;
      }
    }
    points.reach(Point.INDEX_READ);
    return true;
  }

  private long read(IndexFile file, int owner) {
    OptionalLong known = visitor.known(owner, file.identity());
    if (known.isPresent()) {
      progress.addReferences(file.entries());
      return known.getAsLong();
    }
    long image = file.read(block, this::beforeSlice, visitor.begin(owner));
    visitor.end(owner, image);
    return image;
  }

  IndexTotals totals() {
    return new IndexTotals(progress.filesDone(), bytes, progress.references());
  }

  private void beforeSlice(int digests) {
    stop.check();
    progress.addReferences(digests);
  }

  private void logProgress() {
    expectedDone++;
    long percentage = expectedDone * 100 / progress.filesTotal();
    if (percentage > lastPercentage) {
      lastPercentage = percentage;
      log.info(
          "marked %d%% (%d of %d index files)"
              .formatted(percentage, expectedDone, progress.filesTotal()));
    }
  }
}
