package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FaultyCalls;
import io.tidemark.posix.FileName;
import io.tidemark.posix.Open;
import io.tidemark.posix.Posix;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import io.tidemark.report.StoppedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AtimeCheckTest {
  private static final long SECOND = 1_000_000_000L;

  /* Longer than two ticks of the kernel's clock, which is all that local file systems need. */
  private static final long SHORT_PAUSE_MILLIS = 30;

  @TempDir private Path chunks;

  private final SystemCalls posix = Posix.open();
  private final FaultyCalls faults = new FaultyCalls();
  private final StopToken stop = new StopToken();
  private final RunLog log = new RunLog();
  private final LogLines lines = new LogLines();
  private SystemCalls calls = faults.around(posix);
  private EpochClock clock = EpochClock.SYSTEM;
  private long pauseMillis = SHORT_PAUSE_MILLIS;

  @BeforeEach
  void createDirectories() throws IOException {
    Files.createDirectory(chunks.resolve("0000"));
    Files.createDirectory(chunks.resolve("bb9f"));
  }

  @AfterEach
  void closeAll() {
    lines.close();
    posix.close();
  }

  private Path chunk() {
    return chunks.resolve("bb9f").resolve(ZeroChunk.NAME);
  }

  private void insertChunk() {
    try {
      Files.write(chunk(), ZeroChunk.blob());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    setTimes(chunk(), Instant.parse("2020-01-01T00:00:00.123456789Z"));
  }

  private static void setTimes(Path file, Instant time) {
    try {
      FileTime both = FileTime.from(time);
      Files.getFileAttributeView(file, BasicFileAttributeView.class).setTimes(both, both, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void setAccessTime(Path file, Instant time) {
    try {
      Files.getFileAttributeView(file, BasicFileAttributeView.class)
          .setTimes(null, FileTime.from(time), null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Instant accessTime(Path file) {
    try {
      return ((FileTime) Files.getAttribute(file, "lastAccessTime")).toInstant();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private AtimeCheck.Result check() {
    int flags = Open.O_RDONLY | Open.O_DIRECTORY | Open.O_CLOEXEC;
    int fd = posix.openat(Open.AT_FDCWD, FileName.encode(chunks.toString()), flags, 0);
    try {
      return AtimeCheck.run(calls, fd, chunks.toString(), clock, pauseMillis, stop, log);
    } finally {
      posix.close(fd);
    }
  }

  private List<Path> files(String directory) throws IOException {
    try (var files = Files.list(chunks.resolve(directory))) {
      return files.toList();
    }
  }

  @Test
  void check_noChunkYet_insertsIt() throws IOException {
    assertThat(check().skewSeconds()).isZero();
    assertThat(lines.lines())
        .containsExactly("Access time update check successful, proceeding with GC.");
    assertThat(files("bb9f")).containsExactly(chunk());
    assertThat(chunk()).hasBinaryContent(ZeroChunk.blob());
    assertThat(Files.getAttribute(chunk(), "unix:mode")).isEqualTo(0100644);
  }

  @Test
  void check_asRoot_chunkBelongsToTheOwnerOfTheDirectory() throws IOException {
    assumeTrue(posix.geteuid() == 0, "needs root");
    Files.setAttribute(chunks, "unix:uid", 34);
    Files.setAttribute(chunks, "unix:gid", 35);
    check();
    assertThat(Files.getAttribute(chunk(), "unix:uid")).isEqualTo(34);
    assertThat(Files.getAttribute(chunk(), "unix:gid")).isEqualTo(35);
  }

  @Test
  void check_chunkExists_touchesItAndKeepsItsModificationTime() throws IOException {
    insertChunk();
    Object inode = Files.getAttribute(chunk(), "unix:ino");
    Instant start = Instant.now().minusSeconds(1);
    check();
    assertThat(accessTime(chunk())).isAfter(start);
    assertThat(Files.getLastModifiedTime(chunk()).toInstant())
        .isEqualTo(Instant.parse("2020-01-01T00:00:00.123456789Z"));
    assertThat(Files.getAttribute(chunk(), "unix:ino")).isEqualTo(inode);
    assertThat(faults.count("pwrite")).isZero();
  }

  @Test
  void check_emptyChunkOfACrash_isWrittenAnew() throws IOException {
    Files.createFile(chunk());
    check();
    assertThat(chunk()).hasBinaryContent(ZeroChunk.blob());
  }

  @Test
  void check_chunkIsALink_refused() throws IOException {
    Files.createSymbolicLink(chunk(), Path.of("/dev/null"));
    assertThatThrownBy(this::check)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("is no regular file");
  }

  @Test
  void directory_missing_refusedAndNotCreated() throws IOException {
    Files.delete(chunks.resolve("bb9f"));
    assertThatThrownBy(this::check)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(chunks + "/bb9f does not exist");
    assertThat(chunks.resolve("bb9f")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "pwrite, 28",
    "pwrite, 122",
    "openat, 28",
    "fchmod, 28",
    "close, 122",
    "renameat2, 28",
  })
  void noSpace_forTheChunk_anotherOneIsChecked(String call, int errno) throws IOException {
    Path other = chunks.resolve("0000").resolve("0000" + "ab".repeat(30));
    Files.createFile(chunks.resolve("0000").resolve("a-foreign-file"));
    Files.createFile(other.resolveSibling(other.getFileName() + ".0.bad"));
    Files.createFile(other);
    setTimes(other, Instant.EPOCH);
    faults.fail(call, 1, errno);
    check();
    assertThat(lines.lines().getFirst()).contains(chunk().toString(), other.toString());
    assertThat(files("bb9f")).isEmpty();
    assertThat(accessTime(other)).isAfter(Instant.now().minusSeconds(60));
    assertThat(Files.getLastModifiedTime(other).toInstant()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void noSpace_andNoChunkAtAll_failsAndLeavesNothing() throws IOException {
    faults.failFrom("pwrite", 1, Errno.ENOSPC);
    assertThatThrownBy(this::check)
        .isInstanceOf(PosixException.class)
        .hasMessageContaining(chunk().toString())
        .hasMessageContaining("ENOSPC");
    assertThat(files("bb9f")).isEmpty();
  }

  @Test
  void readOnly_fileSystem_failsWithPath() {
    faults.fail("openat", 1, Errno.EROFS);
    assertThatThrownBy(this::check)
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("cannot create chunk " + chunk())
        .hasMessageContaining("EROFS");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Errno.EPERM,
        Errno.ENOENT,
        Errno.EIO,
        Errno.EACCES,
        Errno.EINVAL,
        Errno.ENOSPC,
        Errno.EROFS,
        Errno.ESTALE,
        Errno.EDQUOT,
        133
      })
  void touch_failsAtOnce_failsWithPathAndErrno(int errno) {
    insertChunk();
    faults.fail("utimensat", 1, errno);
    assertThatThrownBy(this::check)
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("cannot touch chunk " + chunk())
        .hasMessageContaining(Errno.name(errno));
  }

  @Test
  void touch_failsAfterThePause_failsWithPathAndErrno() {
    faults.fail("utimensat", 1, Errno.EPERM);
    assertThatThrownBy(this::check)
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("cannot touch chunk " + chunk())
        .hasMessageContaining("EPERM");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void stat_fails_failsWithPath(int k) {
    insertChunk();
    faults.fail("statx", k, Errno.EIO);
    assertThatThrownBy(this::check)
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("cannot stat chunk " + chunk())
        .hasMessageContaining("EIO");
  }

  @Test
  void frozen_accessTimes_refusedBeforeAnythingElse() {
    insertChunk();
    calls = AlteredCalls.withoutTouches(calls);
    assertThatThrownBy(this::check)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("ignores access times")
        .hasMessageNotContaining("\n")
        .hasMessageContaining("2020-01-01T00:00:00.123456789Z before");
  }

  @Test
  void cached_accessTimes_refused() {
    insertChunk();
    Instant stored = accessTime(chunk());
    for (int k = 1; k <= 2; k++) {
      faults.before("statx", ZeroChunk.NAME, 2 * k, () -> setAccessTime(chunk(), stored));
      faults.before("openat", ZeroChunk.NAME, k, () -> setAccessTime(chunk(), stored));
    }
    assertThatThrownBy(this::check)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("does not store access times");
  }

  @Test
  void modificationTime_changedByATouch_refused() {
    insertChunk();
    faults.before(
        "openat",
        ZeroChunk.NAME,
        1,
        () -> {
          Instant now = accessTime(chunk());
          setTimes(chunk(), Instant.parse("2020-01-01T00:00:00.123456788Z"));
          setAccessTime(chunk(), now);
        });
    assertThatThrownBy(this::check)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("modification time")
        .hasMessageContaining("123456789Z to 2020-01-01T00:00:00.123456788Z");
  }

  @Test
  void inode_replacedOnce_checkedAgain() {
    insertChunk();
    replaceBeforeStat(3);
    check();
    assertThat(faults.count("utimensat")).isEqualTo(3);
  }

  @Test
  void inode_replacedTwice_refused() {
    insertChunk();
    replaceBeforeStat(3);
    replaceBeforeStat(5);
    assertThatThrownBy(this::check)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("keeps replacing chunk " + chunk());
  }

  /* The first stat looks whether the chunk is there; then each touch has one before and after. */
  private void replaceBeforeStat(int k) {
    faults.before(
        "statx",
        ZeroChunk.NAME,
        k,
        () -> {
          try {
            Path copy = chunks.resolve("copy");
            Files.copy(chunk(), copy);
            Files.move(copy, chunk(), StandardCopyOption.ATOMIC_MOVE);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Test
  void granularity_oneSecond_passes() {
    insertChunk();
    pauseMillis = 1000;
    roundAccessTimes(1);
    check();
    assertThat(lines.lines().getFirst()).contains("granularity of 1 s", chunk().toString());
    assertThat(faults.count("utimensat")).isEqualTo(2);
  }

  @Test
  void granularity_threeSeconds_passesAfterALongerPause() {
    insertChunk();
    Instant coarse = Instant.ofEpochSecond(Instant.now().getEpochSecond());
    for (int k = 2; k <= 4; k++) {
      faults.before("statx", ZeroChunk.NAME, k, () -> setAccessTime(chunk(), coarse));
    }
    faults.before("openat", ZeroChunk.NAME, 1, () -> setAccessTime(chunk(), coarse));
    check();
    assertThat(lines.lines().getFirst()).contains("granularity of more than 1 s");
    assertThat(faults.count("utimensat")).isEqualTo(3);
  }

  private void roundAccessTimes(long seconds) {
    Runnable round =
        () -> {
          long now = accessTime(chunk()).getEpochSecond();
          setAccessTime(chunk(), Instant.ofEpochSecond(now - now % seconds));
        };
    for (int k = 2; k <= 5; k++) {
      faults.before("statx", ZeroChunk.NAME, k, round);
    }
  }

  @ParameterizedTest
  @CsvSource({"90, -90", "-90, 91", "1, -1", "3599, -3599"})
  void skew_withinAnHour_isMeasured(long localSecondsAhead, long skewSeconds) {
    insertChunk();
    clock = FakeClock.ahead(localSecondsAhead * SECOND - SECOND / 2);
    assertThat(check().skewSeconds()).isEqualTo(skewSeconds);
    assertThat(lines.lines()).hasSize(Math.abs(skewSeconds) > 2 ? 2 : 1);
  }

  @ParameterizedTest
  @CsvSource({"3601, behind", "-3602, ahead of"})
  void skew_moreThanAnHour_refusedWithBothTimes(long localSecondsAhead, String word) {
    insertChunk();
    clock = FakeClock.ahead(localSecondsAhead * SECOND);
    assertThatThrownBy(this::check)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(word)
        .hasMessageContaining("touched at 2")
        .hasMessageContaining("got 2");
  }

  @Test
  void stop_duringThePause_ends() {
    insertChunk();
    stop.request();
    assertThatThrownBy(this::check).isInstanceOf(StoppedException.class);
  }
}
