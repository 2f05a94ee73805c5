package io.tidemark.store;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.GcStatus;
import io.tidemark.report.RunLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/** Leaves the result of a collection in a datastore, where Proxmox Backup Server looks for it. */
public final class StatusFile {
  private static final String NAME = ".gc-status";

  private StatusFile() {}

  /**
   * What the last collection left.
   *
   * @param exists whether there was one
   * @param indexFiles how many index files it marked; empty when that is unknown
   */
  public record Previous(boolean exists, OptionalLong indexFiles) {}

  /** Reads what is known of the last collection, by whoever did it. */
  public static Previous read(String base, RunLog log) {
    Path file = Path.of(base, NAME);
    try {
      Object count = JSON.std.mapFrom(Files.readAllBytes(file)).get("index-file-count");
      if (count instanceof Number number) {
        return new Previous(true, OptionalLong.of(number.longValue()));
      }
      log.info("%s says nothing of index files, so they are not compared".formatted(file));
    } catch (NoSuchFileException e) {
      return new Previous(false, OptionalLong.empty());
    } catch (IOException | JacksonException e) {
      log.info("Cannot read %s, so index files are not compared: %s".formatted(file, reason(e)));
    }
    return new Previous(true, OptionalLong.empty());
  }

  /* The first line only: what follows in JSON errors is where in the source it happened. */
  private static String reason(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

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
