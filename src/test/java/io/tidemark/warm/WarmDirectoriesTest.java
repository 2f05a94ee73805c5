package io.tidemark.warm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WarmDirectoriesTest {
  private static void warm(WarmDirectories directories, int... prefixes) {
    for (int prefix : prefixes) {
      assertThat(directories.needsWarming(prefix)).isTrue();
      directories.warmed(prefix);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"AUTO", "NEVER"})
  void directory_warmedOnce_isWarmFromThenOn(Rewarm rewarm) {
    WarmDirectories directories = new WarmDirectories(rewarm);
    warm(directories, 0, 65535);
    directories.endFlush();

    assertThat(directories.needsWarming(0)).isFalse();
    assertThat(directories.needsWarming(65535)).isFalse();
    assertThat(directories.needsWarming(1)).isTrue();
    assertThat(directories.countWarmed()).isEqualTo(2);
    assertThat(directories.countAlreadyWarm()).isEqualTo(2);
  }

  @Test
  void directory_alwaysRewarmed_isNeverWarm() {
    WarmDirectories directories = new WarmDirectories(Rewarm.ALWAYS);
    warm(directories, 7, 7, 7);
    assertThat(directories.countWarmed()).isEqualTo(3);
    assertThat(directories.countAlreadyWarm()).isZero();
  }

  @Test
  void touches_overAQuarterWaited_thatDirectoryIsColdAgain() {
    WarmDirectories directories = new WarmDirectories(Rewarm.AUTO);
    warm(directories, 1, 2, 3);
    directories.used(1, 100, 26);
    directories.used(2, 100, 25);
    directories.used(3, 100, 0);

    assertThat(directories.endFlush()).isFalse();
    assertThat(directories.needsWarming(1)).isTrue();
    assertThat(directories.needsWarming(2)).isFalse();
    assertThat(directories.needsWarming(3)).isFalse();
  }

  @Test
  void touches_mostDirectoriesWaited_allAreCold() {
    WarmDirectories directories = new WarmDirectories(Rewarm.AUTO);
    warm(directories, 1, 2, 3, 4);
    directories.used(1, 10, 10);
    directories.used(2, 10, 10);
    directories.used(3, 10, 0);

    assertThat(directories.endFlush()).isTrue();
    assertThat(directories.needsWarming(3)).isTrue();
    assertThat(directories.needsWarming(4)).isTrue();
  }

  @Test
  void touches_halfOfTheDirectoriesWaited_theOthersStayWarm() {
    WarmDirectories directories = new WarmDirectories(Rewarm.AUTO);
    warm(directories, 1, 2, 3);
    directories.used(1, 10, 10);
    directories.used(2, 10, 0);

    assertThat(directories.endFlush()).isFalse();
    assertThat(directories.needsWarming(3)).isFalse();
  }

  @Test
  void flush_ended_countsForTheNextStartAtZero() {
    WarmDirectories directories = new WarmDirectories(Rewarm.AUTO);
    warm(directories, 1, 2, 3);
    directories.used(1, 10, 10);
    directories.used(2, 10, 0);
    directories.endFlush();
    directories.used(2, 10, 0);
    directories.used(3, 10, 0);

    assertThat(directories.endFlush()).isFalse();
    assertThat(directories.endFlush()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"NEVER", "ALWAYS"})
  void touches_waitedAndNobodyAsksForIt_nothingChanges(Rewarm rewarm) {
    WarmDirectories directories = new WarmDirectories(rewarm);
    warm(directories, 1);
    directories.used(1, 10, 10);
    assertThat(directories.endFlush()).isFalse();
  }
}
