package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is known of the last collection. */
class LastCollectionTest {
  @TempDir private Path base;

  private LastCollection read(String json) throws IOException {
    Files.writeString(base.resolve(".gc-status"), json);
    return LastCollection.read(base.toString()).orElseThrow();
  }

  @Test
  void serversOwnCollection_tellsWhenItBegan() throws IOException {
    LastCollection last =
        read(
            "{\"upid\":\"UPID:pbs:0000029A:00000BB8:00000001:65A0B0C0:garbage_collection:store1:"
                + "root@pam:\",\"disk-chunks\":7,\"pending-chunks\":3,\"pending-bytes\":300}");

    assertThat(last.startSeconds()).hasValue(0x65A0B0C0L);
    assertThat(last.usedChunks()).isEqualTo(7);
    assertThat(last.pendingChunks()).isEqualTo(3);
    assertThat(last.pendingBytes()).isEqualTo(300);
    assertThat(last.endSeconds())
        .isEqualTo(
            Files.getLastModifiedTime(base.resolve(".gc-status")).toInstant().getEpochSecond());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"upid\":null}", "{\"upid\":\"UPID:x\"}", "{\"upid\":5}", "{}"})
  void otherStatus_leavesTheBeginningOpen(String json) throws IOException {
    assertThat(read(json).startSeconds()).isEmpty();
  }

  @Test
  void nothingThatMakesSense_isNoCollection() throws IOException {
    assertThat(LastCollection.read(base.toString())).isEmpty();

    Files.writeString(base.resolve(".gc-status"), "not JSON");
    assertThat(LastCollection.read(base.toString())).isEmpty();
  }
}
