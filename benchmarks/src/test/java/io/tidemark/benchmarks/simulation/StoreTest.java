package io.tidemark.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class StoreTest {
  @Test
  void read_ofAStore_namesExactlyTheChunksInUse() {
    Shape shape = new Shape(10_000, 2_000, 500, 64, 0, 6, 5, 0.1, 0, 0);
    Store store = new Store(shape);
    BitSet read = new BitSet();
    store.read(read::set);
    for (int chunk = 0; chunk < shape.chunks(); chunk++) {
      assertThat(read.get(chunk)).as("chunk %d", chunk).isEqualTo(store.isUsed(chunk));
    }
    assertThat(read.cardinality()).isEqualTo(shape.used());
    assertThat(store.references()).isBetween(30_000L, 40_000L);
  }

  @Test
  void entries_ofTheDirectories_areAllChunksOnce() {
    Shape shape = new Shape(3_000, 300, 0, 32, 0, 3, 4, 0.1, 0, 0);
    Store store = new Store(shape);
    BitSet listed = new BitSet();
    for (int directory = 0; directory < 32; directory++) {
      for (int i = store.start(directory); i < store.start(directory + 1); i++) {
        assertThat(store.directory(store.entry(i))).isEqualTo(directory);
        listed.set(store.entry(i));
      }
    }
    assertThat(listed.cardinality()).isEqualTo(3_300);
  }
}
