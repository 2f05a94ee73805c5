package io.tidemark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Whether index files can be read in time. */
class ReadingPaceTest {
  private static final long SECOND = 1_000_000_000L;

  private final ReadingPace pace = new ReadingPace(5 * SECOND, 10 * SECOND, 1_000_000);

  @Test
  void slowStart_isNotTakenForTheRate() {
    assertThat(pace.isHopeless(7 * SECOND, 1000)).isFalse();
    assertThat(pace.isHopeless(8 * SECOND, 201_000)).isFalse();
    assertThat(pace.secondsAReference(8 * SECOND, 201_000)).isCloseTo(5e-6, within(1e-9));
  }

  @Test
  void rateThatDoesNotReach_isHopelessLongBeforeTheEnd() {
    assertThat(pace.isHopeless(5 * SECOND + 1, 1000)).isFalse();
    assertThat(pace.isHopeless(6 * SECOND, 51_000)).isTrue();
  }

  @Test
  void timeThatIsUp_isHopeless() {
    assertThat(pace.isHopeless(15 * SECOND + 1, 999_999)).isTrue();
  }

  @Test
  void readingThatIsShort_hasTheRateOfTheWhole() {
    assertThat(pace.secondsAReference(6 * SECOND, 500)).isCloseTo(0.002, within(1e-9));
  }
}
