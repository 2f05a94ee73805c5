package io.tidemark.warm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AheadDistanceTest {
  @Test
  void following_nothingWaits_readsNothingAhead() {
    assertThat(AheadDistance.following().current()).isZero();
  }

  @Test
  void following_flushWaits_growsByOneUpToTheMost() {
    AheadDistance distance = AheadDistance.following();
    distance.waited();
    assertThat(distance.current()).isEqualTo(1);
    for (int i = 0; i < 1000; i++) {
      distance.waited();
    }
    assertThat(distance.current()).isEqualTo(64);
  }

  @Test
  void following_touchesBlock_isHalved() {
    AheadDistance distance = AheadDistance.following();
    for (int i = 0; i < 9; i++) {
      distance.waited();
    }
    distance.blocked();
    assertThat(distance.current()).isEqualTo(4);
  }

  @Test
  void fixed_whateverHappens_stays() {
    AheadDistance distance = AheadDistance.fixed(5);
    distance.waited();
    distance.blocked();
    assertThat(distance.current()).isEqualTo(5);
  }
}
