package io.tidemark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.plan.SharedSizes.Amount;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What snapshots have alone, by the sets of those that require chunks. */
class SharedSizesTest {
  private final SharedSizes sizes = new SharedSizes();

  private static BitSet owners(int... numbers) {
    BitSet set = new BitSet();
    for (int number : numbers) {
      set.set(number);
    }
    return set;
  }

  @Test
  void chunkOfTwo_isUniqueToBothTogether() {
    sizes.addOld(sizes.set(owners(1)), 10, 5);
    sizes.addYoung(sizes.set(owners(1, 2)), 100, 7);
    sizes.addOld(sizes.set(owners(0, 2)), 1000, 9);

    SharedSizes.Usage first = sizes.of(owners(1));
    assertThat(first.total()).isEqualTo(new Amount(2, 110));
    assertThat(first.unique()).isEqualTo(new Amount(1, 10));
    assertThat(first.shared()).isEqualTo(new Amount(1, 100));
    SharedSizes.Usage both = sizes.of(owners(1, 2));
    assertThat(both.total()).isEqualTo(new Amount(3, 1110));
    assertThat(both.unique()).isEqualTo(new Amount(2, 110));
    assertThat(both.uniqueOld()).isEqualTo(new Amount(1, 10));
    assertThat(both.youngest()).isEqualTo(7);
  }

  @Test
  void missingChunks_countApart() {
    sizes.addMissing(sizes.set(owners(1, 2)));

    assertThat(sizes.of(owners(2)).missing()).isEqualTo(1);
    assertThat(sizes.of(owners(2)).total()).isEqualTo(new Amount(0, 0));
    assertThat(sizes.of(owners(3)).missing()).isZero();
  }

  @Test
  void setThatItsMakerChanges_keepsItsOwners() {
    BitSet changing = owners(1);
    int first = sizes.set(changing);
    changing.set(2);

    assertThat(sizes.set(changing)).isNotEqualTo(first);
    assertThat(sizes.set(owners(1))).isEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void randomChunks_giveWhatCountingOneByOneGives(long seed) {
    Random random = new Random(seed);
    BitSet asked = owners(1, 3);
    long total = 0;
    long unique = 0;
    for (int chunk = 0; chunk < 500; chunk++) {
      BitSet owners = new BitSet();
      for (int owner = 0; owner < 5; owner++) {
        owners.set(owner, random.nextInt(3) == 0);
      }
      long size = random.nextInt(1000);
      sizes.addYoung(sizes.set(owners), size, 0);
      boolean wanted = owners.get(1) || owners.get(3);
      total += wanted ? size : 0;
      unique += wanted && !owners.get(0) && !owners.get(2) && !owners.get(4) ? size : 0;
    }

    assertThat(sizes.of(asked).total().bytes()).isEqualTo(total);
    assertThat(sizes.of(asked).unique().bytes()).isEqualTo(unique);
  }
}
