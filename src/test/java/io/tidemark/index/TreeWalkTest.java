package io.tidemark.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.Open;
import io.tidemark.posix.Posix;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.StoppedException;
import io.tidemark.store.RefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TreeWalkTest {
  private static final String S1 = "vm/100/2026-01-01T00:00:00Z";

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

  private Set<String> walk() {
    return walk(tree.base.toString());
  }

  private Set<String> walk(String base) {
    SystemCalls calls = tree.calls();
    try (Listing listing = new Listing(calls, tree.stop)) {
      return new TreeWalk(calls, listing, tree.log)
          .run(base).stream()
              .map(path -> path.substring(base.length() + 1))
              .collect(Collectors.toSet());
    }
  }

  @Test
  void walk_indexesAnywhere_findsThemAll() {
    tree.finished(S1, 1);
    tree.index("ns/a/ns/b/host/h/2026-01-01T00:00:00Z/root.didx", 2);
    tree.index("lost.fidx", 3);
    tree.index("some/where/else.didx", 4);
    tree.write(S1 + "/disk.img.tmp_fidx", "");
    tree.write(S1 + "/fidx", "");
    assertThat(walk())
        .containsExactlyInAnyOrder(
            S1 + "/disk.fidx",
            "ns/a/ns/b/host/h/2026-01-01T00:00:00Z/root.didx",
            "lost.fidx",
            "some/where/else.didx");
  }

  @Test
  void walk_namesWithADot_areSkippedWithAllBelow() {
    tree.index(".chunks/0000/x.fidx", 1);
    tree.index(".trash/" + S1 + "/disk.fidx", 1);
    tree.index("vm/.old/disk.fidx", 1);
    tree.index(S1 + "/.disk.fidx", 1);
    assertThat(walk()).isEmpty();
  }

  @Test
  void walk_rootWithADot_isWalked() {
    IndexWriter.fixed(
        directory.resolve(".hidden/vm/x.fidx"), java.util.List.of(tree.digest(1)), 4096);
    assertThat(walk(directory.resolve(".hidden").toString())).containsExactly("vm/x.fidx");
  }

  @Test
  void walk_rootIsALink_isFollowed() throws Exception {
    tree.finished(S1, 1);
    Path link = Files.createSymbolicLink(directory.resolve("link"), tree.base);
    assertThat(walk(link.toString())).containsExactly(S1 + "/disk.fidx");
  }

  @Test
  void walk_noRoot_fails() {
    tree.delete("");
    assertThatThrownBy(this::walk)
        .isInstanceOf(PosixException.class)
        .hasMessage("cannot open datastore " + tree.base + ": ENOENT (no such file or directory)");
  }

  @Test
  void walk_directoryNamedLikeAnIndex_isFoundAndEntered() {
    tree.index("vm/x.fidx/y.didx", 1);
    assertThat(walk()).containsExactlyInAnyOrder("vm/x.fidx", "vm/x.fidx/y.didx");
  }

  @Test
  void walk_nameNotInUtf8_isFoundByItsBytes() {
    tree.mkdir("vm/100");
    String name = "vm/100/" + FileName.decode(new byte[] {(byte) 0xff, 'x'}, 2) + ".fidx";
    try (SystemCalls calls = Posix.open()) {
      byte[] path = FileName.encode(tree.base + "/" + name);
      calls.close(calls.openat(Open.AT_FDCWD, path, Open.O_RDWR | Open.O_CREAT, 0644));
    }
    assertThat(walk()).containsExactly(name);
  }

  @Test
  void walk_linkToADirectory_isRefused() {
    Path group = tree.link("vm/100", directory);
    assertThatThrownBy(this::walk)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(group + " is a symbolic link to a directory")
        .hasMessageContaining("bind mount")
        .hasMessageNotContaining("\n");
  }

  @Test
  void walk_linkToADirectoryInTheRoot_isRefusedUnlessItsNameBeginsWithADot() {
    tree.link(".zfs", directory);
    assertThat(walk()).isEmpty();
    Path type = tree.link("vm", directory);
    assertThatThrownBy(this::walk)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(type.toString());
  }

  @Test
  void walk_linkToADirectoryNamedLikeAnIndex_isRefused() {
    tree.link("vm/x.fidx", directory);
    assertThatThrownBy(this::walk).isInstanceOf(RefusedException.class);
  }

  @Test
  void walk_linksToFilesOrNowhere_countOnlyWhenNamedLikeAnIndex() {
    Path file = tree.index("vm/a.fidx", 1);
    tree.link("vm/b.fidx", file);
    tree.link("vm/c.didx", Path.of("nowhere"));
    tree.link("vm/d.fidx", Path.of("d.fidx"));
    tree.link("vm/e", Path.of("nowhere"));
    tree.link("vm/f", file);
    tree.link("vm/g", Path.of("g"));
    tree.link("vm/h", file.resolve("below"));
    assertThat(walk())
        .containsExactlyInAnyOrder("vm/a.fidx", "vm/b.fidx", "vm/c.didx", "vm/d.fidx");
  }

  @Test
  void walk_linkThatCannotBeResolved_fails() {
    tree.link("vm/100", directory);
    tree.faults.failOn("statx", "vm/100", Errno.EACCES);
    assertThatThrownBy(this::walk)
        .hasMessage("cannot stat " + tree.base + "/vm/100: EACCES (permission denied)");
  }

  @Test
  void walk_chunksBelowASubdirectory_isRefused() {
    tree.mkdir(".chunks");
    assertThat(walk()).isEmpty();
    Path nested = tree.mkdir("other/store/.chunks");
    assertThatThrownBy(this::walk)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(nested.getParent() + " holds .chunks");
  }

  @Test
  void walk_chunksLinkBelowASubdirectory_isRefused() {
    tree.link("other/.chunks", directory);
    assertThatThrownBy(this::walk).isInstanceOf(RefusedException.class);
  }

  @Test
  void walk_lostAndFoundInTheRootMayNotBeRead_isSkipped() {
    tree.index("lost+found/x.fidx", 1);
    tree.finished(S1, 1);
    assertThat(walk()).hasSize(2);
    tree.faults.failOn("openat", "/lost+found", Errno.EACCES);
    assertThat(walk()).containsExactly(S1 + "/disk.fidx");
  }

  @Test
  void walk_lostAndFoundFailsOtherwise_fails() {
    tree.mkdir("lost+found");
    tree.faults.failOn("openat", "/lost+found", Errno.EIO);
    assertThatThrownBy(this::walk).isInstanceOf(PosixException.class);
  }

  @Test
  void walk_otherDirectoryInTheRootMayNotBeRead_fails() {
    tree.mkdir("vm");
    tree.faults.failOn("openat", "/vm", Errno.EACCES);
    assertThatThrownBy(this::walk)
        .hasMessage("cannot open directory " + tree.base + "/vm: EACCES (permission denied)");
  }

  @Test
  void walk_directoryBecomesALink_fails() {
    tree.finished(S1, 1);
    tree.faults.before(
        "openat",
        "vm/100",
        1,
        () -> {
          tree.delete("vm/100");
          tree.link("vm/100", directory);
        });
    assertThatThrownBy(this::walk)
        .hasMessage("cannot open directory " + tree.base + "/vm/100: ENOTDIR (not a directory)");
  }

  @Test
  void walk_lostAndFoundDeeper_fails() {
    tree.mkdir("vm/lost+found");
    tree.faults.failOn("openat", "/lost+found", Errno.EACCES);
    assertThatThrownBy(this::walk)
        .hasMessage(
            "cannot open directory " + tree.base + "/vm/lost+found: EACCES (permission denied)");
  }

  @Test
  void walk_directoryInReadableLostAndFoundMayNotBeRead_fails() {
    tree.mkdir("lost+found/#12");
    tree.faults.failOn("openat", "#12", Errno.EACCES);
    assertThatThrownBy(this::walk).isInstanceOf(PosixException.class);
  }

  @Test
  void walk_directoryVanishes_isLoggedAndIgnored() {
    tree.finished(S1, 1);
    tree.index("vm/200/x.fidx", 1);
    tree.faults.before("openat", "vm/100", 1, () -> tree.delete("vm/100"));
    assertThat(walk()).containsExactly("vm/200/x.fidx");
    assertThat(tree.lines()).containsExactly("ignoring vanished file: \"BASE/vm/100\"");
  }

  @Test
  void walk_directoryRemovedAfterItWasOpened_isIgnored() {
    tree.mkdir("vm");
    /* The second listing: the first one, of the root, takes two calls. */
    tree.faults.fail("getdents64", 3, Errno.ENOENT);
    assertThat(walk()).isEmpty();
    assertThat(tree.lines()).containsExactly("ignoring vanished file: \"BASE/vm\"");
  }

  @Test
  void walk_listingFailsAtOnceOrMidway_fails() {
    tree.finished(S1, 1);
    for (int k = 1; k <= 8; k++) {
      try (IndexTree other = new IndexTree(directory)) {
        other.faults.fail("getdents64", k, Errno.EIO);
        tree.decorate(other.faults::around);
        assertThatThrownBy(this::walk)
            .isInstanceOf(PosixException.class)
            .hasMessageStartingWith("cannot list directory " + tree.base)
            .hasMessageEndingWith(": EIO (input/output error)");
        assertThat(other.faults.count("openat")).isEqualTo(other.faults.count("close"));
      }
    }
  }

  @Test
  void walk_openFails_fails() {
    tree.finished(S1, 1);
    for (int errno : new int[] {Errno.EACCES, Errno.EPERM, Errno.EIO, Errno.ESTALE, Errno.ELOOP}) {
      try (IndexTree other = new IndexTree(directory)) {
        other.faults.failOn("openat", S1, errno);
        tree.decorate(other.faults::around);
        assertThatThrownBy(this::walk)
            .isInstanceOfSatisfying(
                PosixException.class, e -> assertThat(e.errno()).isEqualTo(errno));
      }
    }
  }

  @Test
  void walk_fileSystemWithoutTypes_asksForEach() {
    tree.finished(S1, 1);
    tree.link("vm/x.fidx", Path.of("nowhere"));
    tree.decorate(calls -> UntypedEntries.around(calls));
    assertThat(walk()).containsExactlyInAnyOrder(S1 + "/disk.fidx", "vm/x.fidx");
    tree.link("vm/200", directory);
    assertThatThrownBy(this::walk).isInstanceOf(RefusedException.class);
  }

  @Test
  void walk_untypedEntryVanishes_isLoggedAndIgnored() {
    tree.finished(S1, 1);
    tree.decorate(calls -> UntypedEntries.around(calls));
    tree.faults.before("statx", "disk.fidx", 1, () -> tree.delete(S1 + "/disk.fidx"));
    assertThat(walk()).isEmpty();
    assertThat(tree.lines())
        .containsExactly("ignoring vanished file: \"BASE/" + S1 + "/disk.fidx\"");
  }

  @Test
  void walk_untypedEntryCannotBeAsked_fails() {
    tree.finished(S1, 1);
    tree.decorate(calls -> UntypedEntries.around(calls));
    tree.faults.failOn("statx", "disk.fidx", Errno.EIO);
    assertThatThrownBy(this::walk)
        .hasMessage("cannot stat " + tree.base + "/" + S1 + "/disk.fidx: EIO (input/output error)");
  }

  @Test
  void walk_stopRequested_stops() {
    tree.finished(S1, 1);
    tree.faults.before("openat", "vm/100", 1, tree.stop::request);
    assertThatThrownBy(this::walk).isInstanceOf(StoppedException.class);
  }
}
