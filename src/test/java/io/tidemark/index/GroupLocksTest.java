package io.tidemark.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.Open;
import io.tidemark.posix.Posix;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.store.BusyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GroupLocksTest {
  @TempDir Path directory;
  private IndexTree tree;
  private final SystemCalls other = Posix.open();

  @BeforeEach
  void open() {
    tree = new IndexTree(directory);
  }

  @AfterEach
  void close() {
    tree.close();
    other.close();
  }

  private GroupLock lock(String id, String... namespace) {
    String path = tree.mkdir("vm/" + id).toString();
    return new GroupLocks(tree.calls(), tree.host, "store")
        .lock(new BackupGroup(List.of(namespace), "vm", id, path));
  }

  private int flock(Path path, int operation) {
    int fd = other.openat(Open.AT_FDCWD, FileName.encode(path.toString()), Open.O_RDONLY, 0);
    assertThat(fd).isNotNegative();
    return other.flock(fd, operation | Open.LOCK_NB);
  }

  @Test
  void lock_noFileYet_makesItForTheOwnerOfItsDirectory() throws Exception {
    Path file = tree.lock("vm-100");
    boolean root = other.geteuid() == 0;
    if (root) {
      Files.setAttribute(file.getParent(), "unix:uid", 34);
      Files.setAttribute(file.getParent(), "unix:gid", 35);
    }
    try (GroupLock lock = lock("100")) {
      assertThat(lock.path()).isEqualTo(file.toString());
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-rw----");
      if (root) {
        assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(34);
        assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(35);
      }
      assertThat(flock(file, Open.LOCK_SH)).isEqualTo(-Errno.EAGAIN);
    }
    assertThat(flock(file, Open.LOCK_EX)).isZero();
  }

  @Test
  void lock_groupInANamespace_isInItsDirectory() {
    Path file = tree.lock("a:b/vm-my\\x2dvm");
    try (GroupLock lock = lock("my-vm", "a", "b")) {
      assertThat(lock.path()).isEqualTo(file.toString());
      assertThat(file).exists();
    }
  }

  @Test
  void lock_heldByAnotherDescriptor_isBusy() {
    Path file = tree.lock("vm-100");
    IndexWriter.raw(file);
    assertThat(flock(file, Open.LOCK_SH)).isZero();
    assertThatThrownBy(() -> lock("100"))
        .isInstanceOf(BusyException.class)
        .hasMessageContaining(tree.base + "/vm/100")
        .hasMessageContaining(file.toString());
    assertThat(tree.faults.count("close")).isEqualTo(1);
  }

  @Test
  void lock_fileRemovedOrReplacedMeanwhile_isBusy() throws Exception {
    Path file = tree.lock("vm-100");
    tree.decorate(calls -> Before.flock(calls, () -> IndexTree.unchecked(() -> remove(file))));
    assertThatThrownBy(() -> lock("100"))
        .isInstanceOf(BusyException.class)
        .hasMessageContaining("was removed while it was locked");
    tree.decorate(
        calls ->
            Before.flock(
                calls,
                () ->
                    IndexTree.unchecked(
                        () -> {
                          Files.move(file, file.resolveSibling("old"));
                          return Files.createFile(file);
                        })));
    assertThatThrownBy(() -> lock("100")).isInstanceOf(BusyException.class);
  }

  private static Path remove(Path file) throws java.io.IOException {
    Files.delete(file);
    return file;
  }

  @Test
  void lock_oldLocking_locksTheDirectory() {
    IndexWriter.raw(tree.run("old-locking"));
    Path group = tree.mkdir("vm/100");
    try (GroupLock lock = lock("100")) {
      assertThat(lock.path()).isEqualTo(group.toString());
      assertThat(flock(group, Open.LOCK_SH)).isEqualTo(-Errno.EAGAIN);
    }
    assertThat(flock(group, Open.LOCK_SH)).isZero();
    assertThatThrownBy(() -> lock("100")).isInstanceOf(BusyException.class);
  }

  @Test
  void lock_anyCallFails_failsWithPathAndErrnoAndClosesTheFile() {
    boolean root = other.geteuid() == 0;
    assertFails("openat", 2, 0);
    assertFails("fchmod", 1, 1);
    assertFails("flock", 1, 1);
    assertFails("statx", root ? 3 : 2, 1);
    assertFails("statx", root ? 4 : 3, 1);
    if (root) {
      assertFails("fchown", 1, 1);
    }
  }

  private void assertFails(String call, int k, int closed) {
    try (IndexTree failing = new IndexTree(directory)) {
      String id = call + k;
      Path file = failing.lock("vm-" + id);
      failing.faults.fail(call, k, Errno.EIO);
      BackupGroup group =
          new BackupGroup(List.of(), "vm", id, failing.mkdir("vm/" + id).toString());
      GroupLocks locks = new GroupLocks(failing.calls(), failing.host, "store");
      assertThatThrownBy(() -> locks.lock(group))
          .as(call)
          .isInstanceOf(PosixException.class)
          .hasMessageContaining(file + ": EIO");
      assertThat(failing.faults.count("close")).isEqualTo(closed);
    }
  }

  @Test
  void name_specialCharacters_areEscaped() {
    assertThat(LockName.of("vm/100")).isEqualTo("vm-100");
    assertThat(LockName.of("vm/100/2022-05-02T08:11:33Z"))
        .isEqualTo("vm-100-2022\\x2d05\\x2d02T08\\x3a11\\x3a33Z");
    assertThat(LockName.of(".a.b_c é")).isEqualTo("\\x2ea.b_c\\x20\\xc3\\xa9");
  }

  @Test
  void name_escapedTo254Characters_isKeptWholeAndLongerOnesAreHashed() {
    assertThat(LockName.of("vm/" + "a".repeat(251))).isEqualTo("vm-" + "a".repeat(251));
    assertThat(LockName.of("vm/" + "b".repeat(252)))
        .isEqualTo(
            "hashed/vm-"
                + "b".repeat(77)
                + "..."
                + "b".repeat(80)
                + "-62113bac4e2618727ce04f1c5814ef28f1b5b11c5a1198b191975d4dc3238662");
    assertThat(LockName.of("vm/" + "-".repeat(70)))
        .startsWith("hashed/vm-\\x2d")
        .endsWith("\\x2d-f468d8016a49978d7215b9d614c3dbaa0d0b58b7a12c93bf0d1cfbdf6640a36d");
  }
}
