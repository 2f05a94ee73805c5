package io.tidemark.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which directories count as lost. */
class EvennessTest {
  private final DirectoryCounts counts = new DirectoryCounts();
  private final int[] missing = new int[DirectoryCounts.DIRECTORIES];
  private final Random random = new Random(1);

  private Optional<Finding> check() {
    return new Evenness(counts, prefix -> missing[prefix], "/s/.chunks").check();
  }

  /** Fills every {@code stride}-th directory as uniform digests would. */
  private void fill(int stride, double mean) {
    for (int prefix = 0; prefix < DirectoryCounts.DIRECTORIES; prefix++) {
      boolean used = prefix % stride == 0;
      counts.set(prefix, used ? (int) (mean + random.nextGaussian() * Math.sqrt(mean)) : 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 256, 4096})
  void store_even_isFine(int stride) {
    fill(stride, 130);
    assertThat(check()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 256, 4096})
  void directory_nearlyEmptyAmongFullOnes_isLost(int stride) {
    fill(stride, 1000);
    counts.set(0x1000, 3);

    assertThat(check().orElseThrow().saw())
        .startsWith("chunk directory /s/.chunks/1000 has lost chunks: it holds 3 where about")
        .doesNotContain("more");
  }

  @Test
  void directories_severalEmpty_firstIsNamedAndAllCounted() {
    fill(1, 200);
    counts.set(0x0a0a, 0);
    counts.set(0x0a0b, 0);
    counts.set(0xffff, 19);

    assertThat(check().orElseThrow().saw()).contains("/0a0a ", "; so have 2 more");
  }

  /* What a sweep has reached has lost its garbage, up to nine tenths. */
  @Test
  void sweepBrokenOff_firstDirectoriesThinner_isFine() {
    fill(1, 1000);
    for (int prefix = 0; prefix < 30_000; prefix++) {
      counts.set(prefix, 110);
    }
    assertThat(check()).isEmpty();
  }

  @Test
  void store_small_nothingIsExpectedOfADirectory() {
    fill(1, 60);
    counts.set(0x1000, 0);
    assertThat(check()).isEmpty();
  }

  @Test
  void directories_onlySomeUsedWithoutAStep_nothingIsExpected() {
    fill(1, 0);
    for (int prefix = 0; prefix < 40; prefix++) {
      counts.set(prefix, 300);
    }
    assertThat(check()).isEmpty();
  }

  @Test
  void directories_fewOfManyKnown_absentOneIsLost() {
    for (int i = 0; i < 256; i++) {
      counts.set(i * 40503 & 0xffff, 900 + random.nextInt(200));
    }
    counts.set(0x1235, 0);

    assertThat(check().orElseThrow().saw()).contains("/1235 ");
  }

  @Test
  void missing_gatheredInOneDirectory_isLost() {
    missing[0x00ff] = 50;

    assertThat(check().orElseThrow())
        .isEqualTo(
            new Finding(
                "lost-directory",
                "chunk directory /s/.chunks/00ff has lost chunks: 50 that are required of it do not"
                    + " exist",
                "--allow-uneven"));
  }

  @Test
  void missing_everywhereAlike_isNoLostDirectory() {
    fill(1, 1000);
    for (int prefix = 0; prefix < DirectoryCounts.DIRECTORIES; prefix++) {
      missing[prefix] = 80 + random.nextInt(30);
    }
    assertThat(check()).isEmpty();
  }
}
