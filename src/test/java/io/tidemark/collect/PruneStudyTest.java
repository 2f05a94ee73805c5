package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.plan.SharedSizes.Amount;
import io.tidemark.report.StopToken;
import io.tidemark.store.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What snapshots have alone, beside what a collection frees when they are pruned. */
class PruneStudyTest {
  private static final String FIRST = "vm/100/2026-01-01T00:00:00Z";
  private static final String SECOND = "vm/100/2026-01-02T00:00:00Z";
  private static final String OTHER = "ns/a/ct/7/2026-01-03T00:00:00Z";

  @TempDir private Path temporary;
  private StoreFixture store;

  @BeforeEach
  void make() {
    store = new StoreFixture(temporary);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private PruneReport study(long memory, String... names) {
    PlanOptions options =
        new PlanOptions(
            store.options(run -> run.action(Options.Action.DRY_RUN).memory(memory)),
            PlanOptions.Depth.SAMPLE,
            PlanOptions.DEFAULT_TIME);
    return new PruneStudy(options, store.environment(), new StopToken()).run(List.of(names));
  }

  private PruneReport study(String... names) {
    return study(0, names);
  }

  private static Amount of(long chunks) {
    return new Amount(chunks, chunks * StoreFixture.CHUNK_BYTES);
  }

  @Test
  void snapshots_haveWhatNoOtherHas() {
    Chunk own = store.chunk(OLD);
    Chunk inGroup = store.chunk(YOUNG);
    Chunk everywhere = store.chunk(OLD);
    store.chunk(OLD);
    store.index(FIRST + "/a.fidx", own, own, inGroup, everywhere, store.missing());
    store.index(SECOND + "/a.didx", inGroup, everywhere);
    store.index(OTHER + "/a.fidx", everywhere);

    PruneReport report = study(FIRST, SECOND);

    assertThat(report.snapshots())
        .extracting(PruneReport.Snapshot::name)
        .containsExactly(FIRST, SECOND);
    assertThat(report.snapshots().get(0).usage().total()).isEqualTo(of(3));
    assertThat(report.snapshots().get(0).usage().unique()).isEqualTo(of(1));
    assertThat(report.snapshots().get(0).usage().shared()).isEqualTo(of(2));
    assertThat(report.snapshots().get(0).usage().missing()).isEqualTo(1);
    assertThat(report.snapshots().get(1).usage().unique()).isEqualTo(of(0));
    assertThat(report.all().unique()).isEqualTo(of(2));
    assertThat(report.all().uniqueOld()).isEqualTo(of(1));
    assertThat(report.all().youngest()).isEqualTo(store.now.minus(YOUNG).getEpochSecond());
    PruneReport.Group group = report.groups().get(0);
    assertThat(group.name()).isEqualTo("vm/100");
    assertThat(group.named()).isEqualTo(2);
    assertThat(group.usage()).isEqualTo(report.all());
  }

  @Test
  void group_isAllItsSnapshots() {
    store.index(FIRST + "/a.fidx", store.chunk(OLD));
    store.index(SECOND + "/a.fidx", store.chunk(OLD));
    store.index(OTHER + "/a.fidx", store.chunk(OLD));

    PruneReport report = study("vm/100", OTHER + "/");

    assertThat(report.snapshots())
        .extracting(PruneReport.Snapshot::name)
        .containsExactly(OTHER, FIRST, SECOND);
    assertThat(report.groups()).extracting(PruneReport.Group::snapshots).containsExactly(1, 2);
    assertThat(report.all().unique()).isEqualTo(of(3));
  }

  @Test
  void protectedSnapshot_isSaidToBe() throws IOException {
    store.index(FIRST + "/a.fidx", store.chunk(OLD));
    Files.createFile(store.base.resolve(FIRST).resolve(".protected"));

    assertThat(study(FIRST).snapshots().get(0).protection())
        .isEqualTo(PruneReport.Protection.PROTECTED);
  }

  @Test
  void groupWithoutIndexFiles_isNamed() throws IOException {
    store.index(FIRST + "/a.fidx", store.chunk(OLD));
    Files.createDirectories(store.base.resolve("vm/101"));

    assertThat(study("vm/101").withoutIndexFiles()).containsExactly("vm/101");
  }

  @Test
  void snapshotThatIsNotThere_isRefused() {
    store.index(FIRST + "/a.fidx", store.chunk(OLD));

    assertThatThrownBy(() -> study(SECOND))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("there is no " + SECOND);
  }

  @Test
  void names_areThoseOfSnapshotsAndGroups() {
    assertThat(List.of("vm/100", FIRST, OTHER, "ns/a/ns/b/host/x")).allMatch(PruneStudy::isName);
    assertThat(List.of("", "vm", "../vm/100", "vm/100/x", "ns/a", "/vm/100", FIRST + "/a.fidx"))
        .noneMatch(PruneStudy::isName);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void prunedSnapshots_freeWhatTheStudySaid(long seed) {
    Random random = new Random(seed);
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      chunks.add(store.chunk(OLD));
    }
    for (String snapshot : List.of(FIRST, SECOND, OTHER, "host/h/2026-01-04T00:00:00Z")) {
      List<Chunk> some = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        some.add(chunks.get(random.nextInt(100) * (1 + random.nextInt(4))));
      }
      store.index(snapshot + "/a.fidx", some);
    }
    store.remember();

    long garbage =
        store.collect(options -> options.action(Options.Action.DRY_RUN)).status().removedBytes();
    PruneReport report = study(Options.LEAST_MEMORY, FIRST, OTHER);
    store.assertUnchanged();
    store.remove(FIRST);
    store.remove("ns");
    Report collected = store.collect();

    assertThat(report.all().uniqueOld()).isEqualTo(report.all().unique());
    assertThat(collected.status().removedBytes())
        .isEqualTo(garbage + report.all().unique().bytes());
  }
}
