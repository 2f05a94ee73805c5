package io.tidemark.sweep;

import io.tidemark.posix.Errno;
import io.tidemark.posix.PosixException;
import io.tidemark.report.RunLog;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the removals of a run that failed, and ends the run when too many fail in a row. */
public final class RemovalFailures {
  /* One immutable file must not stop a collection; a file system gone read-only must. */
  private static final int IN_A_ROW = 10;

  private final RunLog log;
  private final AtomicInteger row = new AtomicInteger();
  private final AtomicBoolean attempted = new AtomicBoolean();

  public RemovalFailures(RunLog log) {
    this.log = log;
  }

  void attempt() {
    if (!attempted.get()) {
      attempted.set(true);
    }
  }

  void succeeded() {
    if (row.get() != 0) {
      row.set(0);
    }
  }

  void failed(String path, int result) {
    if (result == -Errno.EROFS || row.incrementAndGet() > IN_A_ROW) {
      throw new PosixException("cannot remove chunks any more, the last one", path, result);
    }
    log.warn(
        "remove-failed",
        "warning: unable to remove chunk " + path + ": " + Errno.describe(-result),
        path);
  }

  /** Tells whether any file may have been removed or renamed. */
  public boolean attempted() {
    return attempted.get();
  }
}
