package io.tidemark.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where each wire trips, and that small numbers do not trip it. */
class ChecksTest {
  @ParameterizedTest
  @CsvSource({
    "100, 199, 50, true",
    "100, 200, 50, false",
    "99, 100, 50, false",
    "901, 1000, 90, true",
    "900, 1000, 90, false",
    "1000, 1000, 100, false",
    "100, 100, 99, true",
    "100, 10000, 0, true",
    "0, 0, 50, false"
  })
  void removal_counted_tripsAboveTheLimitAndFromAHundredOn(
      long going, long total, int limit, boolean trips) {
    assertThat(Checks.removal(Share.counted(going, total), limit, "/s").isPresent())
        .isEqualTo(trips);
  }

  @Test
  void removal_estimated_tripsOnlyBeyondTheErrorOfTheSample() {
    assertThat(Checks.removal(new Share(5300, 10000, 0.01), 50, "/s")).isEmpty();
    assertThat(Checks.removal(new Share(5500, 10000, 0.01), 50, "/s")).isPresent();
    assertThat(Checks.removal(new Share(110, 150, 0.03), 50, "/s")).isEmpty();
  }

  @Test
  void removal_tripped_saysTheFiguresAndTheOverride() {
    Optional<Finding> counted = Checks.removal(Share.counted(721, 1000), 50, "/s");
    Optional<Finding> estimated = Checks.removal(new Share(721, 1000, 0.01), 50, "/s");

    assertThat(counted.orElseThrow())
        .isEqualTo(
            new Finding(
                "too-much-to-remove",
                "721 of 1000 chunks (72.1 %) of /s would go, and at most 50 % may",
                "--max-removal 100"));
    assertThat(estimated.orElseThrow().saw())
        .startsWith("about 721 of 1000 chunks (72.1 % by a sample) of /s");
  }

  @ParameterizedTest
  @CsvSource({"10, 4, true", "10, 5, false", "9, 0, false", "11, 5, true", "1000, 0, true"})
  void indexes_fewer_tripsWhenMoreThanHalfOfTenOrMoreAreGone(long before, long now, boolean trips) {
    assertThat(Checks.indexes(before, now, "/s").isPresent()).isEqualTo(trips);
  }

  @ParameterizedTest
  @CsvSource({
    "10, 989, true",
    "10, 990, false",
    "9, 0, false",
    "10, 0, true",
    "1000, 99001, false"
  })
  void missing_some_tripsAboveOneInAHundredAndFromTenOn(long missing, long there, boolean trips) {
    assertThat(Checks.missing(missing, there, "/s").isPresent()).isEqualTo(trips);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 101})
  void maxRemoval_noPercentage_refused(int percent) {
    assertThatThrownBy(() -> Tripwires.STANDARD.withMaxRemoval(percent))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Integer.toString(percent));
  }
}
