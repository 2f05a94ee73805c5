package io.tidemark.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Errno;
import io.tidemark.posix.PosixException;
import io.tidemark.store.BusyException;
import io.tidemark.store.RefusedException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The races between a mark and the backups and prunes beside it. */
final class GroupWalkTest {
  private static final String GROUP = "vm/100";
  private static final String S0 = GROUP + "/2026-01-01T00:00:00Z";
  private static final String S1 = GROUP + "/2026-01-02T00:00:00Z";
  private static final String S2 = GROUP + "/2026-01-03T00:00:00Z";

  @TempDir Path directory;
  private IndexTree tree;

  @BeforeEach
  void open() {
    tree = new IndexTree(directory);
  }

  @AfterEach
  void close() {
    tree.close();
  }

  private void replace(String old, String successor, int... chunks) {
    tree.finished(successor, chunks);
    tree.delete(old);
  }

  @Test
  void snapshots_areReadNewestFirst() {
    tree.finished(S1, 2);
    tree.finished(S0, 1);
    tree.finished(S2, 3);
    tree.mark();
    assertThat(tree.marked()).containsExactly(3, 2, 1);
  }

  @Test
  void newestSnapshot_replacedAfterTheListOfFilesWasMade_successorIsMarked() {
    tree.finished(S0, 1, 2);
    IndexFiles files = tree.files();
    assertThat(files.discover()).isEqualTo(1);
    replace(S0, S1, 1, 2);
    IndexTotals totals = tree.mark(files);
    assertThat(tree.marked()).containsExactly(1, 2);
    assertThat(totals.files()).isEqualTo(1);
    assertThat(tree.lines())
        .contains(
            "Encountered new index file 'BASE/"
                + S1
                + "/disk.fidx', increment total index file count");
  }

  @Test
  void newestSnapshot_replacedBeforeItsFilesAreListed_successorIsMarked() {
    tree.finished(S0, 1, 2);
    /* The tree walk lists the snapshot first, the mark lists it second. */
    tree.faults.before("openat", S0, 2, () -> replace(S0, S1, 1, 2));
    tree.mark();
    assertThat(tree.marked()).containsExactly(1, 2);
  }

  @Test
  void newestSnapshot_replacedBeforeItsIndexIsOpened_successorIsMarked() {
    tree.finished(S0, 1, 2);
    tree.faults.before("openat", S0 + "/disk.fidx", 1, () -> replace(S0, S1, 1, 2));
    tree.mark();
    assertThat(tree.marked()).containsExactly(1, 2);
  }

  @Test
  void newestSnapshot_vanishesWithoutSuccessor_othersAreMarked() {
    tree.finished(S0, 1);
    tree.finished(S1, 2);
    tree.faults.before("openat", S1 + "/disk.fidx", 1, () -> tree.delete(S1));
    IndexTotals totals = tree.mark();
    assertThat(tree.marked()).containsExactly(1);
    assertThat(totals.files()).isEqualTo(1);
  }

  @Test
  void olderSnapshot_vanishes_isPassedOverWithoutReadingTheGroupAgain() {
    tree.finished(S0, 1);
    tree.finished(S1, 2);
    tree.faults.before("openat", S0 + "/disk.fidx", 1, () -> tree.delete(S0));
    IndexTotals totals = tree.mark();
    assertThat(tree.marked()).containsExactly(2);
    assertThat(totals).isEqualTo(new IndexTotals(1, IndexWriter.CHUNK_BYTES, 1));
  }

  @Test
  void lastFinishedSnapshot_prunedWhenTheRunningBackupIsDone_backupIsMarked() {
    tree.finished(S0, 1, 2);
    tree.mkdir(S1);
    tree.faults.before("openat", S0 + "/disk.fidx", 1, () -> replace(S0, S1, 1, 2));
    tree.mark();
    assertThat(tree.marked()).containsExactly(1, 2);
  }

  @Test
  void secondIndexOfTheBase_prunedWhenTheRunningBackupIsDone_backupIsMarked() {
    tree.finished(S0, 1);
    tree.index(S0 + "/zzz.didx", 5);
    tree.index(S1 + "/disk.fidx", 1);
    tree.faults.before(
        "openat",
        S0 + "/zzz.didx",
        1,
        () -> {
          tree.index(S1 + "/zzz.didx", 5);
          replace(S0, S1, 1);
        });
    tree.mark();
    assertThat(tree.marked()).contains(1, 5);
  }

  @Test
  void newSnapshot_comesWhileOthersAreRead_needsNoMark() {
    tree.finished(S0, 1);
    tree.faults.before("openat", S0 + "/disk.fidx", 1, () -> tree.finished(S1, 1, 9));
    tree.mark();
    assertThat(tree.marked()).containsExactly(1);
  }

  @Test
  void group_readAgain_keepsItsOwnersAndCountsOnce() {
    tree.finished(S1, 2);
    tree.index(S1 + "/zzz.didx", 3);
    AtomicInteger opened = new AtomicInteger();
    tree.faults.before("openat", S1 + "/zzz.didx", 1, opened::incrementAndGet);
    tree.faults.before("openat", S1 + "/zzz.didx", 1, () -> tree.delete(S1 + "/zzz.didx"));
    IndexTotals totals = tree.mark();
    assertThat(opened).hasValue(1);
    assertThat(totals.files()).isEqualTo(1);
    assertThat(totals.bytes()).isEqualTo(IndexWriter.CHUNK_BYTES);
    assertThat(tree.owners).containsOnly(0);
    assertThat(totals.references()).isEqualTo(tree.owners.size());
    assertThat(tree.lines()).noneMatch(line -> line.startsWith("Encountered"));
  }

  @Test
  void group_deletedBeforeItIsListed_isSkipped() {
    tree.finished(S0, 1);
    tree.finished("vm/200/2026-01-01T00:00:00Z", 2);
    IndexFiles files = tree.files();
    files.discover();
    tree.faults.before("openat", "vm/100", 1, () -> tree.delete(GROUP));
    IndexTotals totals = tree.mark(files);
    assertThat(tree.marked()).containsExactly(2);
    assertThat(totals.files()).isEqualTo(1);
  }

  @Test
  void group_deletedBetweenListingAndOpening_isSkipped() {
    tree.finished(S0, 1);
    tree.faults.before("openat", S0 + "/disk.fidx", 1, () -> tree.delete(GROUP));
    assertThat(tree.mark()).isEqualTo(new IndexTotals(0, 0, 0));
    assertThat(tree.log.warnings()).isEmpty();
  }

  /* Both walks open the root, the type, the group and the snapshot. */
  private static final int OPENING_OF_S0_IN_THE_MARK = 8;

  @Test
  void snapshot_cannotBeListed_fails() {
    tree.finished(S0, 1);
    tree.faults.fail("openat", OPENING_OF_S0_IN_THE_MARK, Errno.ESTALE);
    assertThatThrownBy(tree::mark)
        .isInstanceOf(PosixException.class)
        .hasMessage(
            "cannot open directory " + tree.base + "/" + S0 + ": ESTALE (stale file handle)");
  }

  @Test
  void snapshot_cannotBeListedForItsGroupIsGone_isSkipped() {
    tree.finished(S0, 1);
    tree.faults.fail("openat", OPENING_OF_S0_IN_THE_MARK, Errno.ESTALE);
    tree.faults.before("statx", GROUP, 1, () -> tree.delete(GROUP));
    assertThat(tree.mark().files()).isZero();
  }

  @Test
  void index_cannotBeOpened_fails() {
    tree.finished(S0, 1);
    tree.faults.failOn("openat", "disk.fidx", Errno.EIO);
    assertThatThrownBy(tree::mark)
        .hasMessage(
            "cannot open index file "
                + tree.base
                + "/"
                + S0
                + "/disk.fidx: EIO (input/output error)");
  }

  @Test
  void snapshot_withoutADate_failsUnlessTheGroupIsGone() {
    tree.index(GROUP + "/2026-13-01T00:00:00Z/disk.fidx", 1);
    assertThatThrownBy(tree::mark)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(GROUP + "/2026-13-01T00:00:00Z has the form of a snapshot");
    tree.faults.before("statx", GROUP, 1, () -> tree.delete(GROUP));
    assertThat(tree.mark().files()).isZero();
  }

  @Test
  void snapshots_otherNamesOrNoDirectories_areLeftOver() {
    tree.index(GROUP + "/old/disk.fidx", 1);
    tree.write(S0, "");
    tree.index(GROUP + "/2026-01-01T00:00:00Zx/disk.fidx", 2);
    tree.mark();
    assertThat(tree.marked()).containsExactly(2, 1);
    assertThat(tree.log.warnings()).hasSize(3);
  }

  /* Each time an index file of the newest snapshot is about to be opened, a newer one replaces it. */
  private AtomicInteger replaceNewest(int times) {
    AtomicInteger count = new AtomicInteger();
    tree.finished(snapshot(0), 0);
    for (int i = 0; i < times; i++) {
      int number = i;
      tree.faults.before(
          "openat",
          snapshot(i) + "/disk.fidx",
          1,
          () -> {
            count.incrementAndGet();
            replace(snapshot(number), snapshot(number + 1), number + 1);
          });
    }
    return count;
  }

  private static String snapshot(int number) {
    return GROUP + "/2026-01-01T00:00:%02dZ".formatted(number);
  }

  @Test
  void newestSnapshot_changesNineTimes_isMarkedWithoutALock() {
    AtomicInteger replaced = replaceNewest(9);
    tree.mark();
    assertThat(replaced).hasValue(9);
    assertThat(tree.marked()).containsExactly(9);
    assertThat(tree.faults.count("flock")).isZero();
  }

  @Test
  void newestSnapshot_changesTenTimes_isMarkedUnderTheGroupsLock() throws Exception {
    Path lock = tree.lock("vm-100");
    replaceNewest(10);
    tree.faults.before(
        "openat", snapshot(10) + "/disk.fidx", 1, () -> assertThat(isLocked(lock)).isTrue());
    tree.mark();
    assertThat(tree.marked()).containsExactly(10);
    assertThat(isLocked(lock)).isFalse();
  }

  private static boolean isLocked(Path file) {
    try {
      Process flock = new ProcessBuilder("flock", "-n", file.toString(), "true").start();
      return flock.waitFor() != 0;
    } catch (java.io.IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void newestSnapshot_changesElevenTimes_failsThoughLocked() {
    Path lock = tree.lock("vm-100");
    AtomicInteger replaced = replaceNewest(11);
    assertThatThrownBy(tree::mark)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("vanished 11 times")
        .hasMessageContaining(lock.toString());
    assertThat(replaced).hasValue(11);
    assertThat(isLocked(lock)).isFalse();
  }

  @Test
  void newestSnapshot_changesTenTimesAndNoLocksAreKeptHere_failsWithThePath() {
    replaceNewest(11);
    assertThatThrownBy(tree::mark)
        .isInstanceOf(PosixException.class)
        .hasMessage(
            "cannot lock backup group with "
                + tree.run("locks/store/vm-100")
                + ": ENOENT (no such file or directory)");
  }

  @Test
  void newestSnapshot_changesTenTimesAndABackupHoldsTheLock_isBusy() throws Exception {
    Path lock = tree.lock("vm-100");
    replaceNewest(11);
    Process holder = holdLock(lock);
    try {
      assertThatThrownBy(tree::mark)
          .isInstanceOf(BusyException.class)
          .hasMessageContaining("is locked by somebody else (" + lock + ")");
    } finally {
      holder.getOutputStream().close();
      holder.waitFor();
    }
  }

  /* Returns when the lock is held; it is given back when the process's input ends. */
  private static Process holdLock(Path file) throws Exception {
    Process holder =
        new ProcessBuilder("flock", file.toString(), "sh", "-c", "echo held; cat").start();
    assertThat(holder.getInputStream().read()).isEqualTo('h');
    return holder;
  }
}
