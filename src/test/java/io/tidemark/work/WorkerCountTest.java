package io.tidemark.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Follows the rate of simulated devices. */
class WorkerCountTest {
  private static final int SAMPLES = 4000;

  /* The mean number of workers over the second half of a run. */
  private static double settled(DoubleUnaryOperator rate, int first, int most, double noise) {
    WorkerCount count = WorkerCount.following(first, most);
    Random random = new Random(1);
    long sum = 0;
    for (int i = 0; i < SAMPLES; i++) {
      double disturbed =
          rate.applyAsDouble(count.current()) * (1 + noise * (2 * random.nextDouble() - 1));
      int current = count.afterSample(disturbed);
      assertThat(current).isBetween(1, most);
      sum += i >= SAMPLES / 2 ? current : 0;
    }
    return sum / (SAMPLES / 2.0);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.03})
  void number_onAnArray_becomesHigh(double noise) {
    assertThat(settled(n -> 100 * Math.min(n, 28), 1, 64, noise)).isGreaterThan(14);
    assertThat(settled(n -> 100 * Math.min(n, 28), 8, 64, noise)).isGreaterThan(14);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.03})
  void number_onASingleDisk_becomesLow(double noise) {
    assertThat(settled(n -> 100 / (1 + 0.05 * (n - 1)), 8, 64, noise)).isLessThan(3);
    assertThat(settled(n -> 100, 16, 64, noise)).isLessThan(4);
  }

  /* More threads seek a disk to death. */
  @Test
  void number_onADiskThatSuffers_becomesOne() {
    assertThat(settled(n -> 100 / n, 8, 64, 0)).isLessThan(1.5);
  }

  @Test
  void number_loadChanges_isFollowed() {
    WorkerCount count = WorkerCount.following(4, 32);
    for (int i = 0; i < SAMPLES; i++) {
      count.afterSample(100.0 / count.current());
    }
    assertThat(count.current()).isLessThanOrEqualTo(2);
    for (int i = 0; i < SAMPLES; i++) {
      count.afterSample(100.0 * count.current());
    }
    assertThat(count.current()).isGreaterThanOrEqualTo(16);
  }

  @Test
  void number_fixed_staysWhateverTheRate() {
    WorkerCount one = WorkerCount.fixed(1);
    assertThat(one.most()).isEqualTo(1);
    for (int i = 0; i < 100; i++) {
      assertThat(one.afterSample(i * 1000)).isEqualTo(1);
    }
  }

  @Test
  void number_fixedAtMany_staysWhateverTheRate() {
    WorkerCount eight = WorkerCount.fixed(8);
    for (int i = 0; i < 200; i++) {
      assertThat(eight.afterSample(100)).isEqualTo(8);
    }
  }

  @Test
  void number_firstAboveMost_isMost() {
    assertThat(WorkerCount.following(9, 4).current()).isEqualTo(4);
  }
}
