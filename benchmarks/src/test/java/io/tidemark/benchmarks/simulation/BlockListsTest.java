package io.tidemark.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BlockListsTest {
  private final BlockLists lists = new BlockLists(10);

  @Test
  void oldest_amongInactive_isTheOneReadFirst() {
    lists.use(1);
    lists.use(2);
    assertThat(lists.oldest()).isEqualTo(1);
  }

  @Test
  void use_aSecondTime_keepsTheBlockFromScans() {
    lists.use(1);
    lists.use(2);
    lists.use(3);
    lists.use(1);
    assertThat(lists.oldest()).isEqualTo(2);
    assertThat(lists.size()).isEqualTo(3);
  }

  @Test
  void use_soonAfterRemoval_isActiveAtOnce() {
    lists.use(1);
    lists.use(2);
    lists.use(3);
    lists.use(2);
    lists.use(3); // 2 and 3 are active
    lists.remove(1);
    assertThat(lists.use(1)).isFalse();
    lists.use(4);
    lists.use(5);
    lists.use(6);
    assertThat(lists.oldest()).isEqualTo(4);
  }
}
