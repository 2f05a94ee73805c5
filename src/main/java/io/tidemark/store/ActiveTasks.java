package io.tidemark.store;

import io.tidemark.posix.FileName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Set;

/** Reads from the server's list of running tasks since when a backup may be writing. */
final class ActiveTasks {
  /*
   * Each line is a task's id, "UPID:node:pid:pstart:task:start:type:worker:user:" with numbers in
   * hexadecimal; a finished task has its end and its result after it. A task is listed before it
   * takes a lock, so its start is never later than the lock. The list covers this host's server
   * only: when it has no task of the process that holds the lock, the writer is somebody else, of
   * unknown age. A line that makes no sense could be a writer, so it too leaves the age unknown.
   */
  private static final Set<String> WRITERS = Set.of("backup", "sync", "syncjob", "tape-restore");
  private static final int PID = 2;
  private static final int START = 5;
  private static final int TYPE = 6;
  private static final int FIELDS = 9;

  private ActiveTasks() {}

  /**
   * Returns the start, in seconds since 1970, of the oldest task that may be writing.
   *
   * @param holder the process that holds a lock on the store, whatever its tasks are
   * @return empty when the list does not tell
   */
  static OptionalLong oldestStart(PbsHost host, int holder) {
    String list;
    try {
      byte[] bytes = Files.readAllBytes(Path.of(host.tasks(), "active"));
      list = FileName.decode(bytes, bytes.length);
    } catch (IOException e) {
      return OptionalLong.empty();
    }
    long oldest = Long.MAX_VALUE;
    boolean listed = false;
    for (String line : list.lines().toList()) {
      String task = line.strip();
      if (task.isEmpty() || task.indexOf(' ') > 0) {
        continue;
      }
      String[] fields = task.split(":", -1);
      if (fields.length < FIELDS || !fields[0].equals("UPID")) {
        return OptionalLong.empty();
      }
      try {
        boolean held = Long.parseLong(fields[PID], 16) == holder;
        if (held || WRITERS.contains(fields[TYPE])) {
          listed |= held;
          oldest = Math.min(oldest, Long.parseLong(fields[START], 16));
        }
      } catch (NumberFormatException e) {
        return OptionalLong.empty();
      }
    }
    return listed ? OptionalLong.of(oldest) : OptionalLong.empty();
  }
}
