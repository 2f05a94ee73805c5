package io.tidemark.store;

import io.tidemark.posix.FileName;
import io.tidemark.posix.Open;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.RecordLock;
import io.tidemark.posix.SystemCalls;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Whether somebody else uses a datastore at this moment.
 *
 * @param startSeconds the moment, in seconds since 1970
 * @param oldestWriterSeconds since when somebody may be writing, as far as that is known
 * @param isActive whether somebody holds a lock on the store: a backup, a sync or a collection
 */
public record WriterGlance(long startSeconds, long oldestWriterSeconds, boolean isActive) {
  /**
   * Looks at the datastore {@code base} without taking any lock.
   *
   * @param host where the server on this host keeps its files
   */
  public static WriterGlance at(SystemCalls calls, String base, PbsHost host, EpochClock clock) {
    long start = WriterProbe.none(clock).startSeconds();
    WriterGlance nobody = new WriterGlance(start, start, false);
    byte[] name = FileName.encode(base + "/.lock");
    int file = calls.openat(Open.AT_FDCWD, name, Open.O_RDONLY | Open.O_CLOEXEC, 0);
    if (file < 0) {
      return nobody; // none that is known: the file is not there, or not to be read
    }
    try {
      OptionalInt holder = new WriterProbe(calls, file, base, clock).holder(RecordLock.F_WRLCK);
      if (holder.isEmpty()) {
        return nobody;
      }
      OptionalLong oldest = ActiveTasks.oldestStart(host, holder.getAsInt());
      return new WriterGlance(start, Math.min(start, oldest.orElse(start)), true);
    } catch (PosixException e) {
      return nobody; // a file system without such locks
    } finally {
      calls.close(file);
    }
  }
}
