package io.tidemark.store;

import io.tidemark.posix.FaultyCalls;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A datastore directory to lock, with what the lock wants to know. */
final class LockFixture implements AutoCloseable {
  static final long SECOND = 1_000_000_000L;

  /** What the clock shows at first, in seconds, with half a second more. */
  static final long T = 1_700_000_000L;

  final FaultyCalls faults = new FaultyCalls();
  final StopToken stop = new StopToken();
  final LogLines log = new LogLines();
  EpochClock clock = FakeClock.at(T * SECOND + SECOND / 2);
  Duration wait = Duration.ZERO;
  Access access = Access.WRITE;

  private final Path directory;
  private final SystemCalls posix = Posix.open();

  LockFixture(Path directory) throws IOException {
    this.directory = directory;
    Files.createFile(lockFile());
  }

  Path lockFile() {
    return directory.resolve(".lock");
  }

  StoreLock take(LockMode mode) {
    return takeOf(directory.toString(), mode);
  }

  StoreLock takeOf(String base, LockMode mode) {
    PbsHost host = new PbsHost("", "", directory.toString());
    return StoreLock.take(
        faults.around(posix), base, mode, access, wait, host, clock, stop, new RunLog());
  }

  /** Writes the list of running tasks. */
  void tasks(String... lines) throws IOException {
    Files.write(directory.resolve("active"), List.of(lines));
  }

  /** Returns the list's line of a running backup. */
  static String backup(int pid, long start) {
    return "UPID:host:%08X:00000010:00000001:%08X:backup:store:root@pam:".formatted(pid, start);
  }

  @Override
  public void close() {
    log.close();
    posix.close();
  }
}
