package io.tidemark.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Errno;
import io.tidemark.report.StoppedException;
import io.tidemark.report.Warning;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class IndexFilesTest {
  private static final String S0 = "vm/100/2026-01-01T00:00:00Z";
  private static final String S1 = "vm/100/2026-01-02T00:00:00Z";

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

  @Test
  void discover_emptyStore_isNone() {
    IndexFiles files = tree.files();
    assertThat(files.discover()).isZero();
    assertThat(tree.mark(files)).isEqualTo(new IndexTotals(0, 0, 0));
    assertThat(tree.lines()).isEmpty();
  }

  @Test
  void discover_opensNoIndexFile() {
    tree.finished(S0, 1);
    tree.faults.failOn("openat", ".fidx", Errno.EIO);
    assertThat(tree.files().discover()).isEqualTo(1);
  }

  @Test
  void mark_severalFiles_countsFilesBytesAndReferences() {
    tree.finished(S0, 1, 2, 2);
    tree.index("ns/a/host/h/2026-01-01T00:00:00Z/root.didx", 2, 3);
    IndexTotals totals = tree.mark();
    assertThat(totals).isEqualTo(new IndexTotals(2, 3 * IndexWriter.CHUNK_BYTES + 2001, 5));
    assertThat(tree.marked()).containsExactly(1, 2, 2, 2, 3);
  }

  @Test
  void mark_hiddenIndexInASnapshot_isMarked() {
    tree.index(S0 + "/.disk.fidx", 1);
    IndexTotals totals = tree.mark();
    assertThat(tree.marked()).containsExactly(1);
    assertThat(totals.files()).isEqualTo(1);
  }

  @Test
  void mark_owners_ascendAndGivePathsBack() {
    tree.finished(S0, 1);
    tree.finished(S1, 2);
    tree.index("strange.fidx", 3);
    IndexFiles files = tree.files();
    files.discover();
    tree.mark(files);
    assertThat(tree.owners).containsExactly(0, 1, 2);
    assertThat(tree.owners.stream().map(files::path).toList())
        .containsExactly(
            tree.base + "/" + S1 + "/disk.fidx",
            tree.base + "/" + S0 + "/disk.fidx",
            tree.base + "/strange.fidx");
  }

  @Test
  void mark_baseWithAClosingSlash_givesTheSamePaths() {
    tree.finished(S0, 1);
    IndexFiles files =
        new IndexFiles(tree.calls(), tree.base + "//", "store", tree.host, tree.stop, tree.log);
    files.discover();
    assertThat(tree.mark(files).files()).isEqualTo(1);
    assertThat(files.path(0)).isEqualTo(tree.base + "/" + S0 + "/disk.fidx");
    assertThat(tree.log.warnings()).isEmpty();
  }

  @Test
  void mark_progress_isLoggedWhenThePercentageGrows() {
    for (int i = 0; i < 3; i++) {
      tree.index(S0 + "/" + i + ".didx", i);
    }
    tree.mark();
    assertThat(tree.lines())
        .containsExactly(
            "marked 33% (1 of 3 index files)",
            "marked 66% (2 of 3 index files)", "marked 100% (3 of 3 index files)");
  }

  @Test
  void mark_moreThanAHundredFiles_logsEachPercentageOnce() {
    for (int i = 0; i < 250; i++) {
      tree.index(S0 + "/" + i + ".didx", i);
    }
    tree.mark();
    assertThat(tree.lines())
        .hasSize(100)
        .startsWith("marked 1% (3 of 250 index files)", "marked 2% (5 of 250 index files)")
        .endsWith("marked 100% (250 of 250 index files)");
  }

  @Test
  void mark_newIndexFile_isReportedAndRaisesTheTotal() {
    tree.finished(S0, 1);
    IndexFiles files = tree.files();
    files.discover();
    tree.finished(S1, 2);
    tree.mark(files);
    assertThat(tree.lines())
        .containsExactly(
            "Encountered new index file 'BASE/"
                + S1
                + "/disk.fidx', increment total index file count",
            "marked 50% (1 of 2 index files)",
            "marked 100% (2 of 2 index files)");
    assertThat(files.progress().filesTotal()).isEqualTo(2);
  }

  @Test
  void mark_misplacedIndexFiles_areMarkedInOrderWithWarnings() {
    tree.index("b.fidx", 2);
    tree.index("vm/a.didx", 3);
    tree.index("a/a.fidx", 1);
    IndexTotals totals = tree.mark();
    assertThat(tree.marked()).containsExactly(1, 2, 3);
    assertThat(totals.files()).isEqualTo(3);
    assertThat(tree.log.warnings())
        .extracting(Warning::id)
        .containsExactly(
            "unexpected-index", "unexpected-index", "unexpected-index", "unexpected-indexes");
    assertThat(tree.lines())
        .containsExactly(
            "Marked chunks for unexpected index file at 'BASE/a/a.fidx'",
            "Marked chunks for unexpected index file at 'BASE/b.fidx'",
            "Marked chunks for unexpected index file at 'BASE/vm/a.didx'",
            "Found 3 index files outside of expected directory scheme");
  }

  @Test
  void mark_misplacedIndexFileVanishes_isNotCounted() {
    tree.index("b.fidx", 2);
    tree.faults.before("openat", "b.fidx", 1, () -> tree.delete("b.fidx"));
    assertThat(tree.mark().files()).isZero();
    assertThat(tree.log.warnings()).isEmpty();
  }

  @Test
  void mark_linkToAnIndexFile_isFollowed() {
    Path real = tree.index("../elsewhere/real.fidx", 4);
    tree.mkdir(S0);
    tree.link(S0 + "/disk.fidx", real);
    tree.mark();
    assertThat(tree.marked()).containsExactly(4);
    assertThat(tree.log.warningCounts()).containsKey("unexpected-index");
  }

  @Test
  void mark_danglingLink_isNotCounted() {
    tree.link("vm/x.fidx", Path.of("nowhere"));
    assertThat(tree.files().discover()).isEqualTo(1);
    assertThat(tree.mark()).isEqualTo(new IndexTotals(0, 0, 0));
  }

  @Test
  void mark_brokenIndexInASnapshot_failsWithItsPath() {
    tree.finished(S0, 1);
    tree.write(S1 + "/root.didx", "twenty-four bytes, no more");
    assertThatThrownBy(tree::mark)
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining(tree.base + "/" + S1 + "/root.didx: file is too small at byte 26");
  }

  @Test
  void mark_directoryNamedLikeAnIndex_failsWithItsPath() {
    tree.mkdir(S0 + "/disk.fidx");
    assertThatThrownBy(tree::mark)
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining(S0 + "/disk.fidx: not a file at byte 0");
  }

  @Test
  void mark_hugeImages_totalStopsAtTheLargestNumber() {
    for (String name : List.of("/a.fidx", "/b.fidx")) {
      byte[] header = IndexWriter.fixedHeader(Long.MAX_VALUE, 1L << 62, new byte[32]);
      IndexWriter.raw(tree.base.resolve(S0 + name), header, tree.digest(1), tree.digest(2));
    }
    assertThat(tree.mark().bytes()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void mark_stopRequestedWithinAFile_stopsWithinAFewDigests() {
    tree.index(S0 + "/disk.fidx", IntStream.range(0, 10_000).toArray());
    IndexFiles files = tree.files();
    files.discover();
    List<Long> seen = new ArrayList<>();
    assertThatThrownBy(
            () ->
                files.mark(
                    owner ->
                        (w0, w1, w2, w3) -> {
                          seen.add(w0);
                          if (seen.size() == 1000) {
                            tree.stop.request();
                          }
                        }))
        .isInstanceOf(StoppedException.class);
    assertThat(seen).hasSizeBetween(1000, 1064);
  }

  @Test
  void progress_ofAnotherThread_seesFilesAndReferences() throws Exception {
    tree.finished(S0, 1);
    tree.index(S0 + "/zzz.fidx", IntStream.range(0, 1000).toArray());
    IndexFiles files = tree.files();
    files.discover();
    List<String> seen = new ArrayList<>();
    files.mark(
        owner ->
            (w0, w1, w2, w3) -> {
              IndexProgress progress = files.progress();
              seen.add(progress.filesDone() + "/" + progress.filesTotal());
              assertThat(progress.references()).isGreaterThanOrEqualTo(seen.size());
            });
    assertThat(seen).contains("0/2", "1/2").hasSize(1001);
    assertThat(files.progress().filesDone()).isEqualTo(2);
    assertThat(files.progress().references()).isEqualTo(1001);
  }

  @Test
  void mark_afterwards_noFileIsLeftOpen() throws Exception {
    tree.finished(S0, 1);
    tree.finished(S1, 2);
    tree.mark();
    try (var open = Files.list(Path.of("/proc/self/fd"))) {
      assertThat(open.filter(fd -> leadsInto(fd, tree.base))).isEmpty();
    }
  }

  private static boolean leadsInto(Path fd, Path base) {
    try {
      return Files.readSymbolicLink(fd).startsWith(base);
    } catch (java.io.IOException e) {
      return false;
    }
  }
}
