package io.tidemark.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LruTest {
  @Test
  void oldest_afterUses_isTheOneUsedLongestAgo() {
    Lru lru = new Lru(4);
    assertThat(lru.use(0)).isFalse();
    lru.use(1);
    lru.use(2);
    assertThat(lru.use(0)).isTrue();
    assertThat(lru.oldest()).isEqualTo(1);
    lru.remove(1);
    lru.remove(1);
    assertThat(lru.oldest()).isEqualTo(2);
    assertThat(lru.size()).isEqualTo(2);
    assertThat(lru.contains(1)).isFalse();
  }

  @Test
  void uses_atRandom_agreeWithALinkedSet() {
    long seed = 7;
    SplittableRandom random = new SplittableRandom(seed);
    Lru lru = new Lru(50);
    LinkedHashSet<Integer> expected = new LinkedHashSet<>();
    for (int i = 0; i < 10_000; i++) {
      int item = random.nextInt(50);
      if (random.nextInt(3) == 0) {
        lru.remove(item);
        expected.remove(item);
      } else {
        assertThat(lru.use(item)).as("seed %d, step %d", seed, i).isEqualTo(expected.remove(item));
        expected.add(item);
      }
      assertThat(lru.size()).isEqualTo(expected.size());
      if (!expected.isEmpty()) {
        assertThat(lru.oldest()).isEqualTo(expected.iterator().next());
      }
    }
  }
}
