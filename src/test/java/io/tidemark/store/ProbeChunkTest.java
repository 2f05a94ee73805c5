package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.posix.Errno;
import io.tidemark.posix.PosixException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeChunkTest {
  @TempDir private Path chunks;
  private ChunksFixture store;

  @BeforeEach
  void openStore() throws IOException {
    store = new ChunksFixture(chunks);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void check_noChunkYet_insertsIt() throws IOException {
    assertThat(store.check().skewSeconds()).isZero();
    assertThat(store.log.lines())
        .containsExactly("Access time update check successful, proceeding with GC.");
    assertThat(store.files("bb9f")).containsExactly(store.chunk());
    assertThat(store.chunk()).hasBinaryContent(ZeroChunk.blob());
    assertThat(Files.getAttribute(store.chunk(), "unix:mode")).isEqualTo(0100644);
  }

  @Test
  void check_asRoot_chunkBelongsToTheOwnerOfTheDirectory() throws IOException {
    assumeTrue(store.posix.geteuid() == 0, "needs root");
    Files.setAttribute(chunks, "unix:uid", 34);
    Files.setAttribute(chunks, "unix:gid", 35);
    store.check();
    assertThat(Files.getAttribute(store.chunk(), "unix:uid")).isEqualTo(34);
    assertThat(Files.getAttribute(store.chunk(), "unix:gid")).isEqualTo(35);
  }

  @Test
  void check_chunkExists_touchesItAndKeepsItsModificationTime() throws IOException {
    store.insertChunk();
    Object inode = Files.getAttribute(store.chunk(), "unix:ino");
    Instant start = Instant.now().minusSeconds(1);
    store.check();
    assertThat(ChunksFixture.accessTime(store.chunk())).isAfter(start);
    assertThat(ChunksFixture.modificationTime(store.chunk())).isEqualTo(ChunksFixture.OLD);
    assertThat(Files.getAttribute(store.chunk(), "unix:ino")).isEqualTo(inode);
    assertThat(store.faults.count("pwrite")).isZero();
  }

  @Test
  void check_emptyChunkOfACrash_isWrittenAnew() throws IOException {
    Files.createFile(store.chunk());
    store.check();
    assertThat(store.chunk()).hasBinaryContent(ZeroChunk.blob());
  }

  @Test
  void check_chunkIsALink_refused() throws IOException {
    Files.createSymbolicLink(store.chunk(), Path.of("/dev/null"));
    assertThatThrownBy(store::check)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("is no regular file");
  }

  @Test
  void directory_missing_refusedAndNotCreated() throws IOException {
    Files.delete(chunks.resolve("bb9f"));
    assertThatThrownBy(store::check)
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
    ChunksFixture.setTimes(other, Instant.EPOCH, Instant.EPOCH);
    store.faults.fail(call, 1, errno);
    store.check();
    assertThat(store.log.lines().getFirst()).contains(store.chunk().toString(), other.toString());
    assertThat(store.files("bb9f")).isEmpty();
    assertThat(ChunksFixture.accessTime(other)).isAfter(Instant.now().minusSeconds(60));
    assertThat(ChunksFixture.modificationTime(other)).isEqualTo(Instant.EPOCH);
  }

  @Test
  void noSpace_andNoChunkAtAll_failsAndLeavesNothing() throws IOException {
    store.faults.failFrom("pwrite", 1, Errno.ENOSPC);
    assertThatThrownBy(store::check)
        .isInstanceOf(PosixException.class)
        .hasMessageContaining(store.chunk().toString())
        .hasMessageContaining("ENOSPC");
    assertThat(store.files("bb9f")).isEmpty();
  }

  @Test
  void readOnly_fileSystem_failsWithPath() {
    store.faults.fail("openat", 1, Errno.EROFS);
    assertThatThrownBy(store::check)
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("cannot create chunk " + store.chunk())
        .hasMessageContaining("EROFS");
  }
}
