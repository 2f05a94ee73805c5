package io.tidemark.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FaultyCalls;
import io.tidemark.posix.FileName;
import io.tidemark.posix.Open;
import io.tidemark.posix.Posix;
import io.tidemark.posix.RecordLock;
import io.tidemark.posix.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That a plan can do no harm, whatever it calls. */
class ReadOnlyCallsTest {
  @TempDir private Path temporary;
  private final FaultyCalls faults = new FaultyCalls();

  @Test
  void callsThatWriteOrLock_failAndDoNothing() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "text");
    byte[] name = FileName.encode(file.toString());
    byte[] other = FileName.encode(temporary.resolve("other").toString());
    try (SystemCalls calls = new ReadOnlyCalls(Posix.open())) {
      int fd = calls.openat(Open.AT_FDCWD, name, Open.O_RDONLY, 0);
      assertThat(fd).isNotNegative();

      assertThat(
              List.of(
                  calls.openat(Open.AT_FDCWD, name, Open.O_RDWR, 0),
                  calls.openat(Open.AT_FDCWD, name, Open.O_WRONLY, 0),
                  calls.openat(Open.AT_FDCWD, other, Open.O_CREAT, 0600),
                  calls.openat(
                      Open.AT_FDCWD, FileName.encode("/tmp"), Open.O_TMPFILE | Open.O_RDWR, 0600),
                  calls.pwrite(fd, new byte[1], 1, 0),
                  calls.utimensat(Open.AT_FDCWD, name, 0),
                  calls.futimens(fd),
                  calls.unlinkat(Open.AT_FDCWD, name, 0),
                  calls.renameat2(Open.AT_FDCWD, name, Open.AT_FDCWD, other, 0),
                  calls.linkat(Open.AT_FDCWD, name, Open.AT_FDCWD, other, 0),
                  calls.ftruncate(fd, 0),
                  calls.fchmod(fd, 0),
                  calls.fchown(fd, 1, 1),
                  calls.fcntl(fd, RecordLock.F_OFD_SETLK, new RecordLock(RecordLock.F_RDLCK)),
                  calls.syncfs(fd),
                  calls.fdatasync(fd)))
          .containsOnly(-Errno.EROFS);
      assertThat(calls.fcntl(fd, RecordLock.F_OFD_GETLK, new RecordLock(RecordLock.F_RDLCK)))
          .isZero();
      calls.close(fd);
    }
    assertThat(file).hasContent("text");
    assertThat(temporary.resolve("other")).doesNotExist();
  }

  @Test
  void lock_isSaidToBeHadAndIsNot() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "text");
    byte[] name = FileName.encode(file.toString());
    try (SystemCalls quiet = new ReadOnlyCalls(Posix.open());
        SystemCalls others = Posix.open()) {
      int fd = quiet.openat(Open.AT_FDCWD, name, Open.O_RDONLY, 0);
      int other = others.openat(Open.AT_FDCWD, name, Open.O_RDONLY, 0);

      assertThat(quiet.flock(fd, Open.LOCK_EX | Open.LOCK_NB)).isZero();
      assertThat(others.flock(other, Open.LOCK_EX | Open.LOCK_NB)).isZero();
      others.close(other);
      quiet.close(fd);
    }
  }

  @Test
  void fileOfSomebodyElse_isOpenedAsUsual() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "text");
    faults.fail("openat", 1, Errno.EPERM);
    try (SystemCalls calls = new ReadOnlyCalls(faults.around(Posix.open()))) {
      int fd = calls.openat(Open.AT_FDCWD, FileName.encode(file.toString()), Open.O_RDONLY, 0);

      assertThat(fd).isNotNegative();
      assertThat(faults.count("openat")).isEqualTo(2);
      calls.close(fd);
    }
  }
}
