package io.tidemark.store;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.GcStatus;
import io.tidemark.report.RunLog;
import java.nio.charset.StandardCharsets;

/** Leaves the result of a collection in a datastore, where Proxmox Backup Server looks for it. */
public final class StatusFile {
  private static final String NAME = ".gc-status";

  private StatusFile() {}

  /** Writes the file {@code .gc-status}; the collection is done, so a failure is but a warning. */
  public static void write(SystemCalls calls, String base, GcStatus status, RunLog log) {
    int result = tryWrite(calls, base, status);
    if (result < 0) {
      String path = base + "/" + NAME;
      log.warn(
          "status-not-written",
          ("cannot write %s: %s; the collection is complete, but the server goes on showing the one"
                  + " before")
              .formatted(path, Errno.describe(-result)),
          path);
    }
  }

  private static int tryWrite(SystemCalls calls, String base, GcStatus status) {
    int flags = Open.O_RDONLY | Open.O_DIRECTORY | Open.O_CLOEXEC;
    int directory = calls.openat(Open.AT_FDCWD, FileName.encode(base), flags, 0);
    if (directory < 0) {
      return directory;
    }
    FileStatus owner = new FileStatus();
    int result = calls.statx(directory, FileName.encode(".chunks"), 0, owner);
    if (result == 0) {
      byte[] json = status.toJson().getBytes(StandardCharsets.UTF_8);
      result = AtomicFile.replace(calls, directory, NAME, json, owner);
    }
    calls.close(directory);
    return result;
  }
}
