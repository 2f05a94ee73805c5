package io.tidemark.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TouchClaimTest {
  @ParameterizedTest
  @CsvSource({
    "9, 99, true",
    "10, 49, true",
    "10, 50, false",
    "19, 49, true",
    "19, 50, false",
    "20, 0, false"
  })
  void isDone_directoriesBefore_orSmallerInodesOfTheWindow(
      int directory, long inode, boolean done) {
    assertThat(new TouchClaim(10, 20, 50).isDone(directory, inode)).isEqualTo(done);
  }

  @Test
  void isDone_inodesAreUnsigned() {
    TouchClaim claim = new TouchClaim(0, 65536, -1);
    assertThat(claim.isDone(0, Long.MAX_VALUE)).isTrue();
    assertThat(claim.isDone(0, Long.MIN_VALUE)).isTrue();
    assertThat(claim.isDone(0, -1)).isFalse();
  }

  @Test
  void none_claimsNothing_allClaimsEverything() {
    assertThat(TouchClaim.NONE.isDone(0, 0)).isFalse();
    assertThat(TouchClaim.ALL.isDone(65535, -1)).isTrue();
  }

  /* Whoever is said to cover another must have done all that the other has, and not be NONE. */
  @Test
  void covers_onlyWhatIsDoneThereToo() {
    List<TouchClaim> claims = new ArrayList<>();
    for (int below = 0; below <= 4; below++) {
      for (int end = below; end <= 4; end++) {
        for (long inode = 0; inode <= 3; inode++) {
          claims.add(new TouchClaim(below, end, inode));
        }
      }
    }
    int covering = 0;
    for (TouchClaim claim : claims) {
      assertThat(claim.covers(claim)).isTrue();
      assertThat(claim.covers(TouchClaim.NONE)).isTrue();
      for (TouchClaim other : claims) {
        if (claim.covers(other)) {
          covering++;
          assertIncludes(claim, other);
        }
      }
    }
    assertThat(covering).isGreaterThan(claims.size() * 2);
  }

  private static void assertIncludes(TouchClaim claim, TouchClaim other) {
    for (int directory = 0; directory < 5; directory++) {
      for (long inode = 0; inode < 4; inode++) {
        if (other.isDone(directory, inode)) {
          assertThat(claim.isDone(directory, inode)).as("%s covers %s", claim, other).isTrue();
        }
      }
    }
  }
}
