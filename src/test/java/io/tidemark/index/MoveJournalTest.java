package io.tidemark.index;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.Open;
import io.tidemark.posix.Posix;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.StoppedException;
import io.tidemark.store.BusyException;
import io.tidemark.store.RefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MoveJournalTest {
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

  private Path journal(String content) {
    Path path = tree.lock("move-journal");
    IndexWriter.raw(path, content.getBytes(ISO_8859_1));
    return path;
  }

  private List<String> read() {
    List<String> lines = new ArrayList<>();
    new MoveJournal(tree.calls(), tree.host, "store", tree.stop).read(lines::add);
    return lines;
  }

  private int lock(Path path) {
    int fd = other.openat(Open.AT_FDCWD, FileName.encode(path.toString()), Open.O_RDONLY, 0);
    assertThat(other.flock(fd, Open.LOCK_EX | Open.LOCK_NB)).isZero();
    return fd;
  }

  @Test
  void read_noJournal_givesNothing() {
    assertThat(read()).isEmpty();
  }

  @Test
  void read_lines_givesEachPathOnceAndLeavesTheFileAlone() throws Exception {
    String content = "/a/x.fidx\n\n/b/é.didx\n/a/x.fidx\n/c/last.fidx";
    Path path = journal(content);
    String notUtf8 = FileName.decode(new byte[] {(byte) 0xe9}, 1);
    assertThat(read()).containsExactly("/a/x.fidx", "/b/" + notUtf8 + ".didx", "/c/last.fidx");
    assertThat(Files.readString(path, ISO_8859_1)).isEqualTo(content);
    other.close(lock(path));
  }

  @Test
  void read_moreThanABlock_givesAllPaths() {
    StringBuilder content = new StringBuilder();
    for (int i = 0; i < 5000; i++) {
      content.append("/store/vm/").append(i).append("/disk.fidx\n");
    }
    journal(content.toString());
    assertThat(read()).hasSize(5000).endsWith("/store/vm/4999/disk.fidx");
  }

  @Test
  void read_otherLines_areRefused() {
    for (String line : List.of("vm/x.fidx", "/store/vm", "version 2")) {
      Path path = journal(line + "\n");
      assertThatThrownBy(this::read)
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining(path.toString())
          .hasMessageContaining(": " + line + ";");
    }
  }

  @Test
  void read_lockedForAMoment_waits() {
    Path path = journal("/a/x.fidx\n");
    int fd = lock(path);
    AtomicInteger attempts = new AtomicInteger();
    tree.decorate(
        calls ->
            Before.flock(
                calls,
                () -> {
                  if (attempts.incrementAndGet() == 3) {
                    other.close(fd);
                  }
                }));
    assertThat(read()).containsExactly("/a/x.fidx");
    assertThat(attempts).hasValue(3);
  }

  @Test
  void read_staysLocked_isBusyAfterTenSeconds() {
    Path path = journal("/a/x.fidx\n");
    tree.faults.failFrom("flock", 1, Errno.EAGAIN);
    MoveJournal journal = new MoveJournal(tree.calls(), path.toString(), tree.stop, 1);
    assertThatThrownBy(() -> journal.read(line -> {}))
        .isInstanceOf(BusyException.class)
        .hasMessageContaining(path + " stayed locked for 10 s");
    assertThat(tree.faults.count("flock")).isEqualTo(100);
    assertThat(tree.faults.count("close")).isEqualTo(1);
  }

  @Test
  void read_stopRequestedWhileWaiting_stops() {
    lock(journal("/a/x.fidx\n"));
    tree.decorate(calls -> Before.flock(calls, tree.stop::request));
    assertThatThrownBy(this::read).isInstanceOf(StoppedException.class);
  }

  @Test
  void read_aCallFails_failsWithPathAndErrno() {
    for (String call : List.of("openat", "flock", "pread")) {
      Path path = journal("/a/x.fidx\n");
      try (IndexTree failing = new IndexTree(directory)) {
        failing.faults.fail(call, 1, Errno.EIO);
        tree.decorate(failing.faults::around);
        assertThatThrownBy(this::read)
            .isInstanceOf(PosixException.class)
            .hasMessageContaining("move journal " + path + ": EIO");
      }
    }
  }

  @Test
  void mark_indexMovedToWhereTheWalkHadBeen_isMarkedFromTheJournal() {
    String from = "ns/b/vm/1/2026-01-01T00:00:00Z";
    String to = "vm/1/2026-01-01T00:00:00Z";
    tree.finished(from, 1, 2);
    tree.finished("vm/2/2026-01-01T00:00:00Z", 3);
    IndexFiles files = tree.files();
    files.discover();
    tree.faults.before(
        "openat",
        "/ns/b",
        1,
        () -> {
          journal(tree.base + "/" + to + "/disk.fidx\n" + tree.base + "/vm/gone.fidx\n");
          tree.finished(to, 1, 2);
          tree.delete("ns/b");
        });
    IndexTotals totals = tree.mark(files);
    assertThat(tree.marked()).containsExactly(3, 1, 2);
    assertThat(totals.files()).isEqualTo(2);
  }

  @Test
  void mark_indexInTheJournalIsCorrupt_fails() {
    Path path = tree.base.resolve("vm/x.fidx");
    journal(path + "\n");
    IndexFiles files = tree.files();
    files.discover();
    IndexWriter.raw(path, new byte[24]);
    assertThatThrownBy(() -> tree.mark(files)).isInstanceOf(CorruptIndexException.class);
  }
}
