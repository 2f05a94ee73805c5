package io.tidemark.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a server does between the steps of collections, no chunk in use is lost. */
class ModelTest {
  @TempDir private Path temporary;

  @Test
  void histories_ofBusyStores_loseNothingAndLeaveNoGarbage() throws IOException {
    run(170, 1);
  }

  /* A million collections; the seeds are not those of the short test. */
  @Test
  @Tag("slow")
  void million_interleavings_loseNothingAndLeaveNoGarbage() throws IOException {
    run(84_000, 1_000_000);
  }

  private void run(int histories, int firstSeed) throws IOException {
    Path root = ModelRuns.inMemory(temporary);
    ModelRuns runs = new ModelRuns(root);

    runs.run(firstSeed, histories, Runtime.getRuntime().availableProcessors());
    Files.delete(root);

    System.out.println("Model: " + runs);
    assertThat(runs.runs).isEqualTo((long) histories * ModelHistory.RUNS);
    // What the test is about did happen.
    assertThat(runs.interleaved).isGreaterThan(runs.runs / 2);
    assertThat(runs.removed).isGreaterThan(histories);
    assertThat(runs.moves).isPositive();
    assertThat(runs.corrupt).isPositive();
    if (histories > 1000) { // rare things
      assertThat(runs.outcomes).containsKeys(Outcome.values());
      assertThat(runs.failedUploads).isPositive();
    }
    assertThat(runs.continued).isPositive();
  }
}
