package io.tidemark.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.Open;
import io.tidemark.posix.Posix;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.store.RefusedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NamespaceWalkTest {
  private static final String TIME = "/2026-01-01T00:00:00Z";

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

  private List<String> groups() {
    List<String> groups = new ArrayList<>();
    SystemCalls calls = tree.calls();
    try (Listing listing = new Listing(calls, tree.stop)) {
      new NamespaceWalk(
              listing,
              group -> {
                String path = group.path().substring(tree.base.toString().length() + 1);
                assertThat(path).endsWith(group.name());
                groups.add(String.join(":", group.namespace()) + " " + path);
              })
          .run(tree.base.toString());
    }
    return groups;
  }

  @Test
  void groups_ofAllTypesAndNamespaces_areFound() {
    tree.mkdir("vm/100");
    tree.mkdir("ct/101");
    tree.mkdir("host/my.host_1-a");
    tree.mkdir("ns/a/vm/1");
    tree.mkdir("ns/a/ns/b/ct/2");
    tree.mkdir("ns/c/host/3");
    assertThat(groups())
        .containsExactlyInAnyOrder(
            " vm/100",
            " ct/101",
            " host/my.host_1-a",
            "a ns/a/vm/1",
            "a:b ns/a/ns/b/ct/2",
            "c ns/c/host/3");
  }

  @Test
  void namespaces_areVisitedParentsFirst() {
    tree.mkdir("ns/a/ns/b/ct/2");
    tree.mkdir("ns/a/vm/1");
    tree.mkdir("vm/0");
    assertThat(groups()).containsExactly(" vm/0", "a ns/a/vm/1", "a:b ns/a/ns/b/ct/2");
  }

  @Test
  void groups_otherNamesAndTypes_arePassedOver() {
    tree.mkdir("qemu/100");
    tree.mkdir("vm/-1");
    tree.mkdir("vm/.1");
    tree.mkdir("vm/a b");
    tree.write("vm/file", "");
    tree.write("host", "");
    tree.link("vm/link", directory);
    tree.link("ct", directory);
    assertThat(groups()).isEmpty();
  }

  @Test
  void groups_fileSystemWithoutTypes_areFound() {
    tree.mkdir("ns/a/vm/1");
    tree.write("vm/file", "");
    tree.link("vm/link", directory);
    tree.decorate(UntypedEntries::around);
    assertThat(groups()).containsExactly("a ns/a/vm/1");
  }

  @Test
  void namespaces_deeperThanSeven_areLeftToTheTreeWalk() {
    String deep = "ns/1/ns/2/ns/3/ns/4/ns/5/ns/6/ns/7";
    tree.finished(deep + "/vm/1" + TIME, 7);
    tree.finished(deep + "/ns/8/vm/1" + TIME, 8);
    tree.mark();
    assertThat(tree.marked()).containsExactly(7, 8);
    assertThat(tree.log.warningCounts())
        .containsOnly(
            java.util.Map.entry("unexpected-index", 1L),
            java.util.Map.entry("unexpected-indexes", 1L));
  }

  @Test
  void namespace_invalidName_isRefused() {
    for (String name : List.of("lost+found", ".x", "-a")) {
      Path odd = tree.mkdir("ns/a/ns/" + name);
      assertThatThrownBy(this::groups)
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("the directory " + odd + " cannot be a namespace");
      tree.delete("ns/a/ns/" + name);
    }
    tree.write("ns/.file", "");
    assertThat(groups()).isEmpty();
  }

  @Test
  void namespace_nameNotInUtf8_isLeftToTheTreeWalk() {
    tree.finished("ns/plain/vm/1" + TIME, 1);
    String odd = FileName.decode(new byte[] {'a', (byte) 0xe9}, 2);
    try (SystemCalls calls = Posix.open()) {
      byte[] from = FileName.encode(tree.base + "/ns/plain");
      byte[] to = FileName.encode(tree.base + "/ns/" + odd);
      assertThat(calls.renameat2(Open.AT_FDCWD, from, Open.AT_FDCWD, to, 0)).isZero();
      tree.mark();
      assertThat(tree.marked()).containsExactly(1);
      assertThat(tree.log.warnings().getFirst().path())
          .isEqualTo(tree.base + "/ns/" + odd + "/vm/1" + TIME + "/disk.fidx");
      assertThat(calls.renameat2(Open.AT_FDCWD, to, Open.AT_FDCWD, from, 0)).isZero();
    }
  }

  @Test
  void namespace_deletedMeanwhile_isPassedOver() {
    tree.finished("ns/a/vm/1" + TIME, 1);
    tree.finished("ns/a/ns/b/vm/1" + TIME, 2);
    tree.finished("vm/1" + TIME, 3);
    for (String at : List.of("/ns", "/ns/a", "/ns/a/vm", "/ns/a/vm/1", "/ns/a/ns", "/ns/a/ns/b")) {
      try (IndexTree other = new IndexTree(directory)) {
        other.finished("ns/a/vm/1" + TIME, 1);
        other.finished("ns/a/ns/b/vm/1" + TIME, 2);
        other.digest(3);
        IndexFiles files = other.files();
        files.discover();
        other.faults.before("openat", at, 1, () -> other.delete("ns/a"));
        other.mark(files);
        assertThat(other.marked()).doesNotContain(2).contains(3);
        assertThat(other.log.warnings()).isEmpty();
      }
    }
  }

  @Test
  void listing_fails_fails() {
    tree.mkdir("ns/a/vm/1");
    assertThat(groups()).hasSize(1);
    /* Root, ns, ns/a, ns/a/vm, ns/a/ns: five openings, and two calls for each that opens. */
    for (String call : List.of("openat", "getdents64")) {
      for (int k = 1; k <= 5; k++) {
        try (IndexTree other = new IndexTree(directory)) {
          other.faults.fail(call, k, Errno.EACCES);
          tree.decorate(other.faults::around);
          assertThatThrownBy(this::groups)
              .isInstanceOf(PosixException.class)
              .hasMessageContaining(tree.base.toString())
              .hasMessageEndingWith("EACCES (permission denied)");
        }
      }
    }
  }
}
