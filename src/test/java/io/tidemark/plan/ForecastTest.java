package io.tidemark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What follows from rates and sizes: how long strategies take, and what to set. */
class ForecastTest {
  /* Ten million chunks that take a millisecond each by digest, and a tenth by inode. */
  private static final Workload LARGE =
      new Workload(65536, 1e7, Interval.exactly(9e6), 200_000_000, 1 << 20, 1L << 32);
  private static final Rates COLD = new Rates(0.01, 1e-3, 1e-4, 1e-7, 2, 0.9);

  private static Interval seconds(String strategy, Workload work) {
    return Forecast.of(work, COLD).stream()
        .filter(forecast -> forecast.strategy().equals(strategy))
        .map(Forecast::seconds)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void immediate_takesALookUpForEachUsedChunkAndThenTheSweep() {
    Interval seconds = seconds("immediate", LARGE);

    // A second to begin, 20 s of index files, 9,000 s of touches, 328 s of listings, 500 s of
    // look-ups.
    assertThat(seconds.low()).isBetween(9847.0, 9850.0);
    assertThat(seconds.high()).isGreaterThan(400_000);
  }

  @Test
  void ordered_isBestOnAColdStore() {
    Interval ordered = seconds("ordered", LARGE);
    // Four seconds to begin, 40 s of index files, 328 s of listings, 500 s of look-ups and as much
    // of writes.
    assertThat(ordered.high()).isBetween(1371.0, 1373.0);
    for (String other : List.of("immediate", "prefetch", "deferred")) {
      assertThat(seconds(other, LARGE).high()).isGreaterThan(ordered.high());
      assertThat(seconds(other, LARGE).low()).isGreaterThan(ordered.low());
    }
  }

  @Test
  void largerBatches_listDirectoriesLessOften() {
    Workload large = new Workload(65536, 1e7, Interval.exactly(9e6), 200_000_000, 1 << 27, 1 << 30);

    assertThat(seconds("deferred", large).low()).isLessThan(seconds("deferred", LARGE).low());
  }

  @Test
  void prefetch_paysOnlyWhereTheMetadataFits() {
    Workload fits = new Workload(65536, 1e7, Interval.exactly(9e6), 200_000_000, 1 << 20, 1L << 36);

    assertThat(seconds("prefetch", fits).high()).isLessThan(seconds("prefetch", LARGE).low());
  }

  @Test
  void ratesFromMemory_areSaidToBe() {
    assertThat(COLD.isFromMemory()).isFalse();
    assertThat(new Rates(1e-4, 1e-5, 1e-5, 1e-7, 2, 0.001).isFromMemory()).isTrue();
  }

  private static List<String> flags(Workload work, Function<Estimate, Advice.Situation> situation) {
    Estimate freed = Estimate.exactly(600, 600, 1000);
    return Advice.of(Forecast.of(work, COLD), situation.apply(freed)).stream()
        .map(Advice::flag)
        .toList();
  }

  @Test
  void advice_followsFromTheSituation() {
    Workload small = new Workload(65536, 1000, Interval.exactly(400), 1000, 1 << 20, 1L << 36);
    Workload huge = new Workload(65536, 1e9, Interval.exactly(9e8), 1L << 33, 1 << 20, 1L << 30);

    assertThat(flags(small, freed -> new Advice.Situation(freed, false, false, false)))
        .containsExactly("--strategy ordered");
    assertThat(flags(small, freed -> new Advice.Situation(freed, true, true, true)))
        .containsExactly("--strategy ordered", "--wait 2h", "--workers 16", "--max-removal 60");
    assertThat(flags(huge, freed -> new Advice.Situation(freed, false, false, false)))
        .containsExactly("--strategy ordered", "--resume --max-duration 6h");
  }

  @Test
  void lengths_areRough() {
    assertThat(List.of(0.01, 5.25, 42.0, 600.0, 20_000.0, 1e6).stream().map(Lengths::format))
        .containsExactly("0.1 s", "5.3 s", "42 s", "10 min", "6 h", "12 d");
  }
}
