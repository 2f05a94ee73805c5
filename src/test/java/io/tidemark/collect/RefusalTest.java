package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static io.tidemark.collect.StoreFixture.unchecked;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.index.IndexWriter;
import io.tidemark.posix.Errno;
import io.tidemark.report.StopToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores that must not be collected, and what is said about them. */
class RefusalTest {
  @TempDir private Path temporary;
  private StoreFixture store;
  private Chunk used;
  private Chunk unused;

  @BeforeEach
  void make() {
    store = new StoreFixture(temporary);
    used = store.chunk(OLD);
    unused = store.chunk(OLD);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private String refused(Strategy strategy) {
    store.remember();
    Report report = store.collect(strategy);
    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    store.assertUnchanged();
    String error = report.error().orElseThrow();
    assertThat(error).containsPattern("[Nn]othing was (done|removed|touched)").doesNotContain("\n");
    return error;
  }

  @ParameterizedTest
  @EnumSource
  void store_chunksButNoIndex_refused(Strategy strategy) {
    assertThat(refused(strategy)).contains(store.base.toString(), "--allow-empty");
  }

  @ParameterizedTest
  @EnumSource
  void store_chunksButNoIndexAndThatIsMeant_oldOnesGo(Strategy strategy) {
    Chunk young = store.chunk(YOUNG);

    Report report =
        store.collect(
            options -> options.strategy(strategy).emptyIndexSet(Options.EmptyIndexSet.ALLOW));

    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    store.assertSurvivors(young);
  }

  @ParameterizedTest
  @EnumSource
  void store_neitherChunksNorIndex_done(Strategy strategy) {
    store.remove(".chunks");
    store.directory("bb9f");

    assertThat(store.collect(strategy).outcome()).isEqualTo(Outcome.DONE);
  }

  static Stream<Arguments> corruptIndexes() {
    byte[] digest = IndexWriter.digest(1);
    byte[] fixed = IndexWriter.fixedHeader(2 * IndexWriter.CHUNK_BYTES, 4 << 20, new byte[32]);
    byte[] dynamic = IndexWriter.dynamicHeader(new byte[32]);
    Map<String, byte[][]> cases =
        Map.of(
            "a.fidx",
            new byte[][] {},
            "b.fidx",
            new byte[][] {new byte[4095]},
            "c.fidx",
            new byte[][] {fixed},
            "d.fidx",
            new byte[][] {fixed, digest, new byte[31]},
            "e.fidx",
            new byte[][] {fixed, digest, digest, digest},
            "f.fidx",
            new byte[][] {dynamic, digest, digest},
            "g.didx",
            new byte[][] {fixed, new byte[40]},
            "h.didx",
            new byte[][] {dynamic, new byte[41]},
            "i.didx",
            new byte[][] {new byte[24]});
    return cases.entrySet().stream()
        .flatMap(
            one ->
                Stream.of(Strategy.values())
                    .map(strategy -> Arguments.of(strategy, one.getKey(), one.getValue())));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("corruptIndexes")
  void index_corrupt_nothingIsRemoved(Strategy strategy, String name, byte[][] parts) {
    store.snapshot(used);
    Path index = store.base.resolve("ct/7/2026-01-01T00:00:00Z").resolve(name);
    IndexWriter.raw(index, parts);

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow()).contains(index.toString(), "at byte");
    store.assertSurvivors(used, unused);
  }

  @ParameterizedTest
  @EnumSource
  void index_isADirectory_nothingIsRemoved(Strategy strategy) {
    store.snapshot(used);
    unchecked(() -> Files.createDirectories(store.base.resolve("vm/100/strange.fidx")));

    Report report = store.collect(strategy);

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow()).contains("strange.fidx", "a directory");
    store.assertSurvivors(used, unused);
  }

  @ParameterizedTest
  @EnumSource
  void group_isALinkToADirectory_refused(Strategy strategy) {
    store.snapshot(used);
    unchecked(() -> Files.createSymbolicLink(store.base.resolve("vm/101"), temporary));

    assertThat(refused(strategy)).contains("vm/101", "symbolic link");
  }

  @ParameterizedTest
  @EnumSource
  void store_onObjectStorage_refused(Strategy strategy) {
    store.snapshot(used);
    store.configure(
        "datastore: cloud\n\tpath %s\n\tbackend type=s3,client=c,bucket=b\n".formatted(store.base));

    assertThat(refused(strategy)).contains("s3", "cloud");
  }

  /* When it cannot be told which settings are the store's, they cannot be passed over. */
  @ParameterizedTest
  @EnumSource
  void store_onObjectStorageAndCannotBeExamined_nothingIsRemoved(Strategy strategy) {
    store.snapshot(used);
    store.configure(
        "datastore: cloud\n\tpath %s\n\tbackend type=s3,client=c,bucket=b\n".formatted(store.base));
    for (int k = 1; k <= 3; k++) {
      store.faults.heal();
      store.faults.fail("statx", k, Errno.EIO);

      assertThat(store.collect(strategy).outcome()).as("statx %d", k).isEqualTo(Outcome.REFUSED);
      store.assertSurvivors(used, unused);
    }
  }

  @ParameterizedTest
  @EnumSource
  void store_underMaintenance_refused(Strategy strategy) {
    store.snapshot(used);
    store.configure(
        "datastore: shop\n\tpath %s\n\tmaintenance-mode offline\n".formatted(store.base));

    assertThat(refused(strategy)).contains("offline");
  }

  @ParameterizedTest
  @EnumSource
  void store_insideOfAnother_refused(Strategy strategy) {
    store.snapshot(used);
    unchecked(() -> Files.createDirectory(temporary.resolve(".chunks")));

    assertThat(refused(strategy)).contains("inside");
  }

  @ParameterizedTest
  @EnumSource
  void store_withAnotherInside_refused(Strategy strategy) {
    store.snapshot(used);
    unchecked(() -> Files.createDirectories(store.base.resolve("inner/.chunks/0000")));

    assertThat(refused(strategy)).contains("inner");
  }

  @ParameterizedTest
  @EnumSource
  void chunks_missing_refused(Strategy strategy) {
    store.snapshot(used);
    store.remove(".chunks");

    assertThat(refused(strategy)).contains(".chunks");
  }

  @ParameterizedTest
  @EnumSource
  void chunks_empty_refused(Strategy strategy) {
    store.snapshot(used);
    store.remove(".chunks");
    unchecked(() -> Files.createDirectory(store.base.resolve(".chunks")));

    assertThat(refused(strategy)).contains(".chunks", "mounted", "--allow-empty");
  }

  @ParameterizedTest
  @EnumSource
  void chunks_isAFile_refused(Strategy strategy) {
    store.snapshot(used);
    store.remove(".chunks");
    unchecked(() -> Files.createFile(store.base.resolve(".chunks")));

    assertThat(refused(strategy)).contains(".chunks is not a directory");
  }

  @ParameterizedTest
  @EnumSource
  void chunks_linkToNowhere_refused(Strategy strategy) {
    store.snapshot(used);
    store.remove(".chunks");
    unchecked(() -> Files.createSymbolicLink(store.base.resolve(".chunks"), Path.of("nowhere")));

    assertThat(refused(strategy)).contains("symbolic link", "mounted");
  }

  @ParameterizedTest
  @EnumSource
  void chunks_linkToADirectory_collectedThrough(Strategy strategy) {
    store.snapshot(used);
    Path real = temporary.resolve("disk");
    unchecked(
        () -> {
          Files.move(store.base.resolve(".chunks"), real);
          Files.createSymbolicLink(store.base.resolve(".chunks"), real);
        });

    assertThat(store.collect(strategy).outcome()).isEqualTo(Outcome.DONE);
    store.assertExist(used);
    assertThat(store.path(unused)).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource
  void chunkDirectory_isAFile_refused(Strategy strategy) {
    store.snapshot(used);
    store.directory("0a0a");
    store.remove(".chunks/0a0a");
    unchecked(() -> Files.createFile(store.base.resolve(".chunks/0a0a")));

    assertThat(refused(strategy)).contains(".chunks/0a0a", "not a directory");
  }

  @ParameterizedTest
  @EnumSource
  void chunkDirectory_linkToNowhere_refused(Strategy strategy) {
    store.snapshot(used);
    store.directory("0a0a");
    store.remove(".chunks/0a0a");
    unchecked(
        () -> Files.createSymbolicLink(store.base.resolve(".chunks/0a0a"), Path.of("/nowhere/at")));

    assertThat(refused(strategy)).contains(".chunks/0a0a", "mounted");
  }

  @ParameterizedTest
  @EnumSource
  void chunkDirectory_linkToADirectory_collectedThrough(Strategy strategy) {
    store.snapshot(used);
    Path real = temporary.resolve("disk");
    Path link = store.path(unused).getParent();
    unchecked(
        () -> {
          Files.move(link, real);
          Files.createSymbolicLink(link, real);
        });

    assertThat(store.collect(strategy).outcome()).isEqualTo(Outcome.DONE);
    store.assertExist(used);
    assertThat(store.path(unused)).doesNotExist();
  }

  @Test
  void store_missing_refusedWithItsPath() {
    Options options =
        Options.builder(temporary.resolve("none").toString()).host(store.host).build();
    Report report =
        new Collector(options, store.environment(), ProgressListener.NONE, new StopToken()).run();

    assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(report.error().orElseThrow()).contains(temporary.resolve("none").toString());
  }

  @Test
  void store_withoutLockFile_refused() {
    store.snapshot(used);
    store.remove(".lock");

    assertThat(refused(Strategy.DEFERRED)).contains(".lock");
  }
}
