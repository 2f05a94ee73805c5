package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FaultyCalls;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.GcStatus;
import io.tidemark.report.RunLog;
import io.tidemark.report.Warning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusFileTest {
  private static final GcStatus STATUS =
      new GcStatus(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, new GcStatus.CacheStats(11, 12));

  @TempDir private Path base;

  private final SystemCalls posix = Posix.open();
  private final FaultyCalls faults = new FaultyCalls();
  private final SystemCalls calls = faults.around(posix);
  private final RunLog log = new RunLog();

  @BeforeEach
  void createChunkDirectory() throws IOException {
    Files.createDirectory(base.resolve(".chunks"));
  }

  @AfterEach
  void closeCalls() {
    posix.close();
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(base)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void write_overAnOlderOne_replacesItAtOnce() throws IOException {
    Path file = base.resolve(".gc-status");
    Files.writeString(file, "{\"older\":\"and longer than the new one".repeat(20));
    Object before = Files.getAttribute(file, "unix:ino");
    StatusFile.write(calls, base.toString(), STATUS, log);
    assertThat(file).hasContent(STATUS.toJson());
    assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(before);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r--r--");
    assertThat(names()).containsExactly(".chunks", ".gc-status");
    assertThat(log.warnings()).isEmpty();
  }

  @Test
  void write_asRoot_ownerIsThatOfTheChunkDirectory() throws IOException {
    assumeTrue(calls.geteuid() == 0, "needs root");
    Files.setAttribute(base.resolve(".chunks"), "unix:uid", 34);
    Files.setAttribute(base.resolve(".chunks"), "unix:gid", 35);
    StatusFile.write(calls, base.toString(), STATUS, log);
    assertThat(Files.getAttribute(base.resolve(".gc-status"), "unix:uid")).isEqualTo(34);
    assertThat(Files.getAttribute(base.resolve(".gc-status"), "unix:gid")).isEqualTo(35);
  }

  @Test
  void write_inPieces_isWhole() {
    SystemCalls calls = AlteredCalls.withShortWrites(posix);
    StatusFile.write(calls, base.toString(), STATUS, log);
    assertThat(base.resolve(".gc-status")).hasContent(STATUS.toJson());
  }

  @ParameterizedTest
  @CsvSource({"openat,1", "openat,2", "statx,1", "pwrite,1", "fchmod,1", "close,1", "renameat2,1"})
  void write_anyCallFails_warnsAndLeavesTheOlderOne(String call, int k) throws IOException {
    Files.writeString(base.resolve(".gc-status"), "older");
    faults.fail(call, k, Errno.ENOSPC);
    StatusFile.write(calls, base.toString(), STATUS, log);
    assertThat(names()).containsExactly(".chunks", ".gc-status");
    assertThat(base.resolve(".gc-status")).hasContent("older");
    assertThat(log.warnings()).extracting(Warning::id).containsExactly("status-not-written");
    assertThat(log.warnings().getFirst().message()).contains(base + "/.gc-status", "ENOSPC");
  }
}
