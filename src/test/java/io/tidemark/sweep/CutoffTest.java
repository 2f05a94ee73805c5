package io.tidemark.sweep;

import static io.tidemark.sweep.Cutoff.Verdict.KEEP;
import static io.tidemark.sweep.Cutoff.Verdict.PENDING;
import static io.tidemark.sweep.Cutoff.Verdict.REMOVE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CutoffTest {
  private static final long DAY = 86_400;

  @ParameterizedTest
  @CsvSource({
    // start, oldest writer, grace, expected minimum
    "1000000, 1000000, 86700, 913300",
    "1000000, 999999, 86700, 913300",
    "1000000, 913600, 86700, 913300",
    "1000000, 913599, 86700, 913299",
    "1000000, 913301, 86700, 913001",
    "1000000, 913300, 86700, 913000",
    "1000000, 913299, 86700, 912999",
    "1000000, 500000, 86700, 499700",
    "1000000, 1000000, 60, 999940",
    "1000000, 999999, 60, 999699",
    "1000000, 999940, 60, 999640",
    "1000000, 999939, 60, 999639",
    "1000000, 1000000, 172800, 827200"
  })
  void minimum_withAndWithoutWriters_leavesWritersFiveMinutes(
      long start, long writer, long grace, long expected) {
    Cutoff cutoff = Cutoff.of(start, writer, grace);
    assertThat(cutoff.minimumAtimeSeconds()).isEqualTo(expected);
    assertThat(cutoff.oldestWriterSeconds()).isEqualTo(writer);
  }

  /* Up to release 3.3.6: a day, the oldest writer, and five minutes off in any case. */
  private static long earlier(long start, long writer) {
    return Math.min(start - DAY, writer) - 300;
  }

  @Test
  void minimum_defaultGrace_isThatOfEarlierServersButForFiveMinutes() {
    long start = 10 * DAY;
    for (long writer = start - 3 * DAY; writer <= start; writer += 50) {
      long minimum = Cutoff.of(start, writer, 86_700).minimumAtimeSeconds();
      boolean young = writer - 300 >= start - 86_700;
      assertThat(minimum)
          .as("writer at %d", writer)
          .isEqualTo(young ? start - 86_700 : earlier(start, writer));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "99, REMOVE",
    "100, PENDING",
    "199, PENDING",
    "200, KEEP",
    "9999, KEEP",
    "-1, REMOVE"
  })
  void verdict_byAccessTime_changesAtTheTwoMoments(long atime, Cutoff.Verdict expected) {
    assertThat(new Cutoff(100, 200).verdict(atime)).isEqualTo(expected);
  }

  /* The older the writer, the less goes. */
  @Test
  void verdict_olderWriter_neverRemovesMore() {
    for (long writer = 0; writer <= 1000; writer += 7) {
      Cutoff with = Cutoff.of(1000, writer, 120);
      Cutoff without = Cutoff.of(1000, 1000, 120);
      for (long atime = 0; atime <= 1000; atime += 3) {
        if (with.verdict(atime) == REMOVE) {
          assertThat(without.verdict(atime)).isEqualTo(REMOVE);
        }
        if (without.verdict(atime) != REMOVE) {
          assertThat(with.verdict(atime)).isIn(KEEP, PENDING);
        }
      }
    }
  }
}
