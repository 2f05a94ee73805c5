package io.tidemark.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Ext4JournalTest {
  private final Shape shape = new Shape(16_000, 0, 0, 16, 0, 1, 1, 0, 0, 0);
  private final Layout layout = new Layout(FileSystem.of("ext4"), shape);

  private Ext4Journal journal() {
    return new Ext4Journal(layout, new Pace(1e9, 64 << 20, 1));
  }

  @Test
  void finish_afterNeighbours_writesOneRequestBesideTheJournal() {
    Ext4Journal journal = journal();
    for (int block = 0; block < 100; block++) {
      journal.dirty(block, 1);
      journal.operation();
    }
    journal.finish();
    assertThat(journal.bytes()).isEqualTo((100 + 100 + 2) * 4096L);
    assertThat(journal.requests()).isBetween(2L, 3L);
    assertThat(journal.isDirty(0)).isFalse();
  }

  @Test
  void pressed_beforeTheCommit_writesNothing() {
    Ext4Journal journal = journal();
    journal.dirty(0, 1);
    journal.operation();
    journal.pressed();
    assertThat(journal.bytes()).isZero();
    assertThat(journal.isDirty(0)).isTrue();
  }

  @Test
  void dirty_aFullQuarterOfTheJournal_commits() {
    Ext4Journal journal = new Ext4Journal(layout, new Pace(1e9, 1 << 20, 1));
    for (int block = 0; block < 64; block++) {
      journal.dirty(2 * block, 1);
      journal.operation();
    }
    assertThat(journal.bytes()).isEqualTo(66 * 4096L);
    journal.pressed();
    assertThat(journal.bytes()).isEqualTo((66 + 64) * 4096L);
    assertThat(journal.isDirty(0)).isFalse();
  }
}
