package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CollectorTest {
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

  @ParameterizedTest
  @EnumSource
  void collection_usedOldAndYoungChunks_oldUnusedGo(Strategy strategy) throws Exception {
    Chunk used = store.chunk(OLD);
    Chunk young = store.chunk(YOUNG);
    store.chunk(OLD);
    store.snapshot(used);

    Report report = store.collect(strategy);

    assertThat(report.error()).isEmpty();
    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
    store.assertSurvivors(used, young);
    assertThat(store.used(used)).isAfterOrEqualTo(store.now);
    assertThat(store.used(young)).isEqualTo(store.now.minus(YOUNG));
    assertThat(report.status().removedChunks()).isEqualTo(1);
    assertThat(report.status().pendingChunks()).isEqualTo(1);
    assertThat(report.status().diskChunks()).isEqualTo(1);
    assertThat(Files.readString(store.base.resolve(".gc-status")))
        .isEqualTo(report.status().toJson());
  }
}
