package io.tidemark.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentDigestsTest {
  private static final int LOOKUPS = 60_000;

  /* What the JDK has for it. */
  private static Map<List<Long>, Boolean> model(int capacity) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<List<Long>, Boolean> eldest) {
        return size() > capacity;
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8, 1000, 1024, 1025, 3000, 5000})
  void seen_randomDigests_answersAreThoseOfTheModel(int capacity) {
    Random random = new Random(capacity);
    RecentDigests recent = new RecentDigests(capacity);
    Map<List<Long>, Boolean> model = model(capacity);
    long hits = 0;
    for (int i = 0; i < LOOKUPS; i++) {
      long number = (long) Math.abs(random.nextGaussian() * (capacity + 2));
      List<Long> digest = digest(number);
      boolean expected = model.put(digest, true) != null;
      hits += expected ? 1 : 0;

      recent.prepare(new long[] {random.nextLong(), digest.get(1)}, 2);
      assertThat(recent.seen(digest.get(0), digest.get(1), digest.get(2), digest.get(3)))
          .as("seed %d, look-up %d", capacity, i)
          .isEqualTo(expected);
    }
    assertThat(recent.hits()).isEqualTo(hits);
    assertThat(recent.misses()).isEqualTo(LOOKUPS - hits);
  }

  /* Digests that differ in one word only, many of them in the same slot of the table. */
  private static List<Long> digest(long number) {
    long[] words = {1, number % 5 * 4096, 3, 4};
    words[(int) (number % 3 == 0 ? 0 : 2 + number % 2)] += number << 8;
    return List.of(words[0], words[1], words[2], words[3]);
  }

  @Test
  void seen_capacityZero_neverAndNothingIsCounted() {
    RecentDigests off = new RecentDigests(0);
    off.prepare(new long[] {2}, 1);
    assertThat(off.seen(1, 2, 3, 4)).isFalse();
    assertThat(off.seen(1, 2, 3, 4)).isFalse();
    assertThat(off.hits() + off.misses()).isZero();
  }

  @Test
  void seen_usedAgain_isNotTheOneToGo() {
    RecentDigests recent = new RecentDigests(2);
    recent.seen(1, 0, 0, 0);
    recent.seen(2, 0, 0, 0);
    recent.seen(1, 0, 0, 0);
    recent.seen(3, 0, 0, 0);
    assertThat(recent.seen(1, 0, 0, 0)).isTrue();
    assertThat(recent.seen(2, 0, 0, 0)).isFalse();
  }
}
