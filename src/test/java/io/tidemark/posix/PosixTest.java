package io.tidemark.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PosixTest {
  private static final Instant LONG_AGO = Instant.parse("2001-02-03T04:05:06.123456789Z");

  @TempDir private Path directory;
  private final SystemCalls calls = Posix.open();
  private int root;

  @BeforeEach
  void open() {
    root = calls.openat(Open.AT_FDCWD, FileName.encode(directory.toString()), Open.O_DIRECTORY, 0);
  }

  @AfterEach
  void close() {
    calls.close(root);
    calls.close();
  }

  private static byte[] name(String name) {
    return FileName.encode(name);
  }

  private Path file(String name, String content) throws IOException {
    Path file = Files.writeString(directory.resolve(name), content);
    Files.getFileAttributeView(file, BasicFileAttributeView.class)
        .setTimes(FileTime.from(LONG_AGO), FileTime.from(LONG_AGO), null);
    return file;
  }

  private FileStatus status(String name) {
    FileStatus status = new FileStatus();
    assertThat(calls.statx(root, name(name), Open.AT_SYMLINK_NOFOLLOW, status)).isZero();
    return status;
  }

  private static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }

  @Test
  void touch_file_accessTimeIsNowAndModificationTimeStays() throws IOException {
    file("f", "x");
    long before = nanos(Instant.now()) - 20_000_000;

    assertThat(calls.utimensat(root, name("f"), Open.AT_SYMLINK_NOFOLLOW)).isZero();

    FileStatus status = status("f");
    assertThat(status.atimeInNanos()).isBetween(before, nanos(Instant.now()));
    assertThat(status.mtimeInNanos()).isEqualTo(nanos(LONG_AGO));
  }

  @Test
  void touch_openFile_doesTheSame() throws IOException {
    file("f", "x");
    int fd = calls.openat(root, name("f"), Open.O_RDONLY, 0);

    assertThat(calls.futimens(fd)).isZero();

    calls.close(fd);
    assertThat(status("f").atimeInNanos()).isGreaterThan(nanos(LONG_AGO));
    assertThat(status("f").mtimeInNanos()).isEqualTo(nanos(LONG_AGO));
  }

  @Test
  void touch_link_changesTheLinkAlone() throws IOException {
    file("target", "x");
    Files.createSymbolicLink(directory.resolve("link"), Path.of("target"));

    assertThat(calls.utimensat(root, name("link"), Open.AT_SYMLINK_NOFOLLOW)).isZero();

    assertThat(status("target").atimeInNanos()).isEqualTo(nanos(LONG_AGO));
  }

  @Test
  void statx_everyField_isThatOfTheJdk() throws IOException {
    Path file = file("f", "some bytes");
    Map<String, Object> expected = Files.readAttributes(file, "unix:*", LinkOption.NOFOLLOW_LINKS);

    FileStatus status = status("f");

    assertThat(status.isRegular()).isTrue();
    assertThat(status.isDirectory()).isFalse();
    assertThat(status.isSymbolicLink()).isFalse();
    assertThat(status.size()).isEqualTo(expected.get("size"));
    assertThat(status.inode()).isEqualTo(expected.get("ino"));
    assertThat(status.links()).isEqualTo(expected.get("nlink"));
    assertThat(status.uid()).isEqualTo(expected.get("uid"));
    assertThat(status.gid()).isEqualTo(expected.get("gid"));
    assertThat(status.permissions())
        .isEqualTo((int) Objects.requireNonNull(expected.get("mode")) & 0xFFF);
    assertThat(status.atimeSeconds()).isEqualTo(LONG_AGO.getEpochSecond());
    assertThat(status.atimeNanos()).isEqualTo(LONG_AGO.getNano());
    assertThat(status.mtimeInNanos()).isEqualTo(nanos(LONG_AGO));
    assertThat(status("..").isDirectory()).isTrue();
  }

  @Test
  void calls_thatFail_returnTheNegatedErrno() {
    FileStatus status = new FileStatus();
    byte[] none = name("none");
    assertThat(calls.openat(root, none, Open.O_RDONLY, 0)).isEqualTo(-Errno.ENOENT);
    assertThat(calls.statx(root, none, 0, status)).isEqualTo(-Errno.ENOENT);
    assertThat(calls.utimensat(root, none, 0)).isEqualTo(-Errno.ENOENT);
    assertThat(calls.unlinkat(root, none, 0)).isEqualTo(-Errno.ENOENT);
    assertThat(calls.renameat2(root, none, root, name("b"), 0)).isEqualTo(-Errno.ENOENT);
    assertThat(calls.linkat(root, none, root, name("b"), 0)).isEqualTo(-Errno.ENOENT);
    assertThat(calls.close(-1)).isEqualTo(-Errno.EBADF);
    assertThat(calls.futimens(-1)).isEqualTo(-Errno.EBADF);
    assertThat(calls.pread(-1, new byte[1], 1, 0)).isEqualTo(-Errno.EBADF);
  }

  @Test
  void paths_longerThanTheKernelTakes_saySo() {
    byte[] path = new byte[5000];
    Arrays.fill(path, (byte) 'x');
    assertThat(calls.openat(root, path, 0, 0)).isEqualTo(-Errno.ENAMETOOLONG);
    assertThat(calls.statx(root, path, 0, new FileStatus())).isEqualTo(-Errno.ENAMETOOLONG);
    assertThat(calls.utimensat(root, path, 0)).isEqualTo(-Errno.ENAMETOOLONG);
    assertThat(calls.unlinkat(root, path, 0)).isEqualTo(-Errno.ENAMETOOLONG);
    assertThat(calls.renameat2(root, path, root, path, 0)).isEqualTo(-Errno.ENAMETOOLONG);
    assertThat(calls.linkat(root, path, root, path, 0)).isEqualTo(-Errno.ENAMETOOLONG);
  }

  @Test
  void rename_withoutReplacing_failsWhenTheNameIsTaken() throws IOException {
    file("a", "a");
    file("b", "b");
    assertThat(calls.renameat2(root, name("a"), root, name("b"), Open.RENAME_NOREPLACE))
        .isEqualTo(-Errno.EEXIST);
    assertThat(calls.renameat2(root, name("a"), root, name("c"), Open.RENAME_NOREPLACE)).isZero();
    assertThat(status("c").atimeInNanos()).isEqualTo(nanos(LONG_AGO));
    assertThat(directory.resolve("c")).hasContent("a");
    assertThat(directory.resolve("b")).hasContent("b");
  }

  @Test
  void readAndWrite_byPosition_moveTheBytes() throws IOException {
    int fd = calls.openat(root, name("f"), Open.O_RDWR | Open.O_CREAT, 0600);
    byte[] bytes = "0123456789".getBytes(StandardCharsets.US_ASCII);
    assertThat(calls.pwrite(fd, bytes, 4, 2)).isEqualTo(4);
    byte[] into = new byte[10];
    assertThat(calls.pread(fd, into, 10, 0)).isEqualTo(6);
    assertThat(into).startsWith(0, 0, '0', '1', '2', '3', 0);
    assertThat(calls.pread(fd, into, 10, 6)).isZero();
    assertThat(calls.ftruncate(fd, 3)).isZero();
    calls.close(fd);
    assertThat(Files.size(directory.resolve("f"))).isEqualTo(3);
  }

  @Test
  void handle_ofAFile_isFilledIn() throws IOException {
    file("f", "x");
    FileHandle handle = new FileHandle();
    int result = calls.nameToHandleAt(root, name("f"), handle, 0);
    // Some file systems have no handles.
    if (result != -Errno.EOPNOTSUPP) {
      assertThat(result).isZero();
      assertThat(handle.length()).isBetween(1, FileHandle.MAXIMUM_BYTES);
    }
  }

  @Test
  void usage_ofThisThread_grows() throws InterruptedException {
    ThreadUsage before = new ThreadUsage();
    ThreadUsage after = new ThreadUsage();
    assertThat(calls.getrusage(before)).isZero();
    Thread.sleep(5); // gives up the processor once, which is what is counted
    assertThat(calls.getrusage(after)).isZero();
    assertThat(after.voluntarySwitches()).isGreaterThan(before.voluntarySwitches());
  }

  @Test
  void fileSystem_ofADirectory_hasATypeAndSpace() {
    FileSystemStatus status = new FileSystemStatus();
    assertThat(calls.fstatfs(root, status)).isZero();
    assertThat(status.typeName()).isNotEmpty();
    assertThat(status.availableBytes()).isNotNegative();
  }

  @Test
  void instance_usedByAnotherThread_fails() {
    assertThatThrownBy(
            () -> CompletableFuture.supplyAsync(() -> calls.unlinkat(root, name("x"), 0)).join())
        .hasRootCauseInstanceOf(WrongThreadException.class);
  }
}
