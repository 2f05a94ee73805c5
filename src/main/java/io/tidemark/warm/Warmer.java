package io.tidemark.warm;

import io.tidemark.posix.Errno;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import io.tidemark.store.ChunkDirectory;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reads chunk directories just before their use; safe for many threads. */
public final class Warmer {
  /* Warming is an optimisation: a failure is logged once and changes nothing else. */
  private final WarmDirectories directories;
  private final StopToken stop;
  private final RunLog log;
  private final AtomicBoolean failed = new AtomicBoolean();

  public Warmer(WarmDirectories directories, StopToken stop, RunLog log) {
    this.directories = directories;
    this.stop = stop;
    this.log = log;
  }

  /** Warms the open directory when it needs it; returns true when it was warm already. */
  public boolean warm(ChunkDirectory directory) {
    if (!directories.needsWarming(directory.prefix())) {
      return true;
    }
    stop.check();
    int result = directory.warm();
    if (result < 0 && failed.compareAndSet(false, true)) {
      log.info(
          "could not read chunk directory "
              + directory.path()
              + " ahead: "
              + Errno.describe(-result)
              + "; going on without");
    }
    directories.warmed(directory.prefix());
    return false;
  }
}
