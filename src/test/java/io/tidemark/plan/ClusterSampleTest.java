package io.tidemark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether the interval of a sample has the truth as often as it says. */
class ClusterSampleTest {
  private static final int STORES = 1000;

  /* Of 1000 intervals that are right 95 times in 100, fewer than 930 are once in 500 tries. */
  private static final double LEAST_COVERED = 0.93;

  /** How often the truth was inside, and how wide the intervals were. */
  private record Coverage(double share, double total, double meanHalfWidth) {}

  /* Makes stores of 4,096 directories and looks into some of them. */
  private static Coverage coverage(
      long seed, double chunks, double garbage, double swept, int sampled, int lookedAt) {
    Random random = new Random(seed);
    int shares = 0;
    int totals = 0;
    double width = 0;
    for (int store = 0; store < STORES; store++) {
      int directories = 4096;
      ClusterSample sample = new ClusterSample(directories);
      long all = 0;
      long unused = 0;
      for (int directory = 0; directory < directories; directory++) {
        // Which directories are sampled is as good as random, since what is in them is.
        double ofKind = random.nextDouble() < swept ? 0 : garbage;
        int here = poisson(random, chunks);
        int old = binomial(here, ofKind, random::nextDouble);
        all += here;
        unused += old;
        if (directory < sampled) {
          int looked = Math.min(here, lookedAt);
          sample.add(here, looked, drawn(random, here, old, looked));
        }
      }
      Interval share = sample.share();
      Interval total = sample.total();
      shares += has(share, (double) unused / all) ? 1 : 0;
      totals += has(total, (double) unused) ? 1 : 0;
      width += share.halfWidth() / STORES;
    }
    return new Coverage((double) shares / STORES, (double) totals / STORES, width);
  }

  private static boolean has(Interval interval, double truth) {
    return interval.low() <= truth && truth <= interval.high();
  }

  private static int poisson(Random random, double mean) {
    return (int) Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
  }

  private static int binomial(int number, double p, DoubleSupplier random) {
    int hits = 0;
    for (int i = 0; i < number && p > 0; i++) {
      hits += random.getAsDouble() < p ? 1 : 0;
    }
    return hits;
  }

  /* Draws without putting back. */
  private static int drawn(Random random, int here, int old, int looked) {
    int left = old;
    int hits = 0;
    for (int i = 0; i < looked; i++) {
      if (random.nextInt(here - i) < left) {
        left--;
        hits++;
      }
    }
    return hits;
  }

  @ParameterizedTest
  @CsvSource({
    "1, 20, 0.2, 0, 256, 1000",
    "2, 20, 0.01, 0, 256, 1000",
    "3, 20, 0.2, 0.5, 256, 1000",
    "4, 20, 0.2, 0, 16, 1000",
    "5, 40, 0.3, 0, 256, 8",
    "6, 20, 0.0005, 0, 256, 1000",
    "7, 20, 0.2, 0.5, 3000, 1000",
  })
  void share_ofRandomStores_isInsideAsOftenAsItSays(
      long seed, double chunks, double garbage, double swept, int sampled, int lookedAt) {
    Coverage coverage = coverage(seed, chunks, garbage, swept, sampled, lookedAt);

    assertThat(coverage.share()).as(coverage.toString()).isGreaterThan(LEAST_COVERED);
  }

  @ParameterizedTest
  @CsvSource({
    "11, 20, 0.2, 0, 256, 1000",
    "12, 20, 0.2, 0.5, 256, 1000",
    "13, 20, 0.2, 0, 16, 1000",
    "14, 40, 0.3, 0, 256, 8",
  })
  void total_ofRandomStores_isInsideAsOftenAsItSays(
      long seed, double chunks, double garbage, double swept, int sampled, int lookedAt) {
    Coverage coverage = coverage(seed, chunks, garbage, swept, sampled, lookedAt);

    assertThat(coverage.total()).as(coverage.toString()).isGreaterThan(LEAST_COVERED);
  }

  @Test
  void interval_ofLikeDirectories_isNotNeedlesslyWide() {
    Coverage coverage = coverage(21, 20, 0.2, 0, 256, 1000);

    // 5,120 independent chunks: 1.96 sqrt(0.2 0.8 / 5120), less what 256 of 4,096 save.
    assertThat(coverage.meanHalfWidth()).isCloseTo(0.0106, within(0.0006));
    assertThat(coverage.share()).isLessThan(0.98);
  }

  @Test
  void directoriesThatDiffer_widenTheInterval() {
    ClusterSample alike = new ClusterSample(65536);
    ClusterSample different = new ClusterSample(65536);
    for (int directory = 0; directory < 256; directory++) {
      alike.add(100, 100, 20);
      different.add(100, 100, directory % 2 == 0 ? 40 : 0);
    }

    assertThat(different.share().estimate()).isEqualTo(alike.share().estimate());
    // Between directories: 1.97 x 0.2 / sqrt(256); for independent chunks 1.96 x 0.4 / 160.
    assertThat(different.share().halfWidth()).isCloseTo(0.0246, within(0.0002));
    assertThat(alike.share().halfWidth()).isCloseTo(0.0049, within(0.0001));
  }

  @Test
  void wholeStore_hasNoError() {
    ClusterSample sample = new ClusterSample(2);
    sample.add(10, 10, 3);
    sample.add(20, 20, 3);

    assertThat(sample.share()).isEqualTo(Interval.exactly(0.2));
    assertThat(sample.total()).isEqualTo(Interval.exactly(6));
  }

  @Test
  void noneOfTheKindSeen_leavesRoomForSome() {
    ClusterSample sample = new ClusterSample(65536);
    for (int directory = 0; directory < 256; directory++) {
      sample.add(100, 100, 0);
    }

    assertThat(sample.share().low()).isZero();
    assertThat(sample.share().high()).isBetween(0.0001, 0.0002);
  }

  @Test
  void oneDirectory_saysNothingOfTheOthers() {
    ClusterSample sample = new ClusterSample(65536);
    sample.add(100, 100, 20);

    assertThat(sample.share()).isEqualTo(new Interval(0, 0.2, 1));
  }
}
