package io.tidemark.flush;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.flush.MissingChunks.Missing;
import io.tidemark.report.RunLog;
import io.tidemark.store.LogLines;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MissingChunksTest {
  private final LogLines lines = new LogLines();
  private final RunLog log = new RunLog();
  private final MissingChunks missing = new MissingChunks(owner -> "/index/" + owner, log);

  @AfterEach
  void close() {
    lines.close();
  }

  @Test
  void chunk_missedTwice_countsOnceForTheFirstIndex() {
    missing.add(1, 2, 3, 4, 7, 2);
    missing.add(1, 2, 3, 4, 8, 2);

    assertThat(missing.count()).isEqualTo(1);
    assertThat(missing.list())
        .containsExactly(
            new Missing(
                "0000000000000001000000000000000200000000000000030000000000000004", "/index/7", 2));
    assertThat(log.warnings()).hasSize(1);
  }

  @Test
  void chunks_moreThanAreListed_allAreCounted() {
    IntStream.range(0, MissingChunks.LISTED + 10)
        .parallel()
        .forEach(i -> missing.add(i, i, 0, 0, 1, 0));

    assertThat(missing.count()).isEqualTo(MissingChunks.LISTED + 10);
    assertThat(missing.list())
        .hasSize(MissingChunks.LISTED)
        .isSortedAccordingTo((a, b) -> a.digest().compareTo(b.digest()));
    assertThat(log.warnings()).hasSize(RunLog.KEPT_OF_A_KIND);
    assertThat(lines.lines()).hasSize(RunLog.KEPT_OF_A_KIND);
  }
}
