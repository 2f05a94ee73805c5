package io.tidemark.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.WindowChoice.Estimate;
import io.tidemark.posix.FileSystemStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which window is chosen by which estimate. */
class WindowChoiceTest {
  private static final long MIB = 1 << 20;

  @Test
  void byName_directoriesInHalfOfTheCache_isAll() {
    assertThat(new Estimate(FileSystemStatus.EXT4, 32 * MIB, 60_000, 64 * MIB).byName())
        .isEqualTo(Window.ALL);
  }

  @Test
  void byName_directoriesTwiceAsLarge_isHalfOfTheChunks() {
    assertThat(new Estimate(FileSystemStatus.EXT4, 64 * MIB, 60_000, 64 * MIB).byName())
        .isEqualTo(Window.of(30_000));
  }

  @Test
  void byName_manyTimesAsLarge_isDirectory() {
    assertThat(new Estimate(FileSystemStatus.EXT4, 33 * 32 * MIB, 60_000, 64 * MIB).byName())
        .isEqualTo(Window.DIRECTORY);
  }

  @Test
  void byName_unknownCache_isDirectory() {
    assertThat(new Estimate(FileSystemStatus.EXT4, MIB, 60_000, 0).byName())
        .isEqualTo(Window.DIRECTORY);
  }

  @Test
  void byName_zfsDirectoriesInQuarterOfTheCache_isAll() {
    assertThat(new Estimate(FileSystemStatus.ZFS, 16 * MIB, 60_000, 64 * MIB).byName())
        .isEqualTo(Window.ALL);
  }

  /* Measured: there the names of half a cache are read back for each touch. */
  @Test
  void byName_zfsDirectoriesInHalfOfTheCache_isDirectory() {
    assertThat(new Estimate(FileSystemStatus.ZFS, 32 * MIB, 60_000, 64 * MIB).byName())
        .isEqualTo(Window.DIRECTORY);
  }

  /* The blocks that OpenZFS 2.3 makes: a head, and leaves of 73 names on average. */
  @ParameterizedTest
  @CsvSource({"1, 32", "58, 32", "73, 32", "74, 48", "1250, 304"})
  void directoryBytes_zfs_countsHeadAndLeaves(long entries, long kibibytes) {
    assertThat(WindowChoice.directoryBytes(FileSystemStatus.ZFS, entries + 2, entries))
        .isEqualTo(kibibytes << 10);
  }

  @Test
  void directoryBytes_ext4_isWhatItSays() {
    assertThat(WindowChoice.directoryBytes(FileSystemStatus.EXT4, 12_288, 58)).isEqualTo(12_288);
  }

  @Test
  void directoryBytes_btrfs_countsEntries() {
    assertThat(WindowChoice.directoryBytes(FileSystemStatus.BTRFS, 0, 1000)).isEqualTo(96_000);
  }
}
