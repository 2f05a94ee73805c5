package io.tidemark.benchmarks.simulation;

import java.util.Arrays;

/** A simulated collection: the system calls of a plan, in their order. */
final class Collection {
  private final Store store;
  private final Shape shape;
  private final Kernel kernel;
  private final Plan plan;
  private final int batchSize;
  private final int group;
  private long touches;

  /**
   * @param batchSize of a deferred mark, in references
   * @param group directories whose chunks one window of an ordered mark in groups has
   */
  Collection(Store store, Kernel kernel, Plan plan, int batchSize, int group) {
    this.store = store;
    this.shape = store.shape;
    this.kernel = kernel;
    this.plan = plan;
    this.batchSize = batchSize;
    this.group = group;
  }

  long touches() {
    return touches;
  }

  /**
   * Marks.
   *
   * @param recent digests that the cache of recent ones holds
   */
  void mark(int recent) {
    switch (plan.mark) {
      case IMMEDIATE -> read(recent, this::touch);
      case PREFETCH -> {
        listAll();
        read(recent, this::touch);
      }
      case DEFERRED -> {
        Batch batch = new Batch();
        read(recent, batch::add);
        batch.flush();
      }
      case BY_HANDLE -> touchByHandle(false);
      case BY_HANDLE_LOOKING -> touchByHandle(true);
      case BY_NAME -> {
        listAll();
        for (int chunk = 0; chunk < shape.chunks(); chunk++) {
          if (store.isUsed(chunk)) {
            touch(chunk);
          }
        }
      }
      case BY_NAME_IN_GROUPS -> touchGroups(group);
      case BY_DIRECTORY -> touchGroups(1);
    }
  }

  private void touchByHandle(boolean looking) {
    listAll();
    for (int chunk = 0; chunk < shape.chunks(); chunk++) {
      if (store.isUsed(chunk)) {
        kernel.touchByHandle(chunk);
        touches++;
      } else if (looking) {
        kernel.statByHandle(chunk);
      }
    }
  }

  private void read(int recent, Store.Reader reader) {
    Lru cache = new Lru(shape.chunks());
    store.read(
        chunk -> {
          if (!cache.use(chunk)) {
            if (cache.size() > recent) {
              cache.remove(cache.oldest());
            }
            reader.reference(chunk);
          }
        });
  }

  private void touch(int chunk) {
    kernel.touchByName(chunk);
    touches++;
  }

  private void listAll() {
    for (int directory = 0; directory < shape.allDirectories(); directory++) {
      kernel.list(directory);
    }
  }

  private void touchGroups(int size) {
    for (int first = 0; first < shape.directories(); first += size) {
      int end = Math.min(first + size, shape.directories());
      for (int directory = first; directory < end; directory++) {
        kernel.list(directory);
      }
      int[] chunks = new int[store.start(end) - store.start(first)];
      for (int i = 0; i < chunks.length; i++) {
        chunks[i] = store.entry(store.start(first) + i);
      }
      Arrays.sort(chunks);
      for (int chunk : chunks) {
        if (store.isUsed(chunk)) {
          touch(chunk);
        }
      }
    }
    for (int empty = shape.directories(); empty < shape.allDirectories(); empty++) {
      kernel.list(empty);
    }
  }

  /** The batch of a deferred mark: references by directory and digest. */
  private final class Batch {
    /* A key is the directory, then 15 bits of the digest, then the chunk. */
    private long[] keys = new long[Math.min(batchSize, 1 << 16)];
    private final boolean[] warm = new boolean[shape.directories()];
    private int size;

    void add(int chunk) {
      if (size == batchSize) {
        flush();
      }
      if (size == keys.length) {
        keys = Arrays.copyOf(keys, (int) Math.min(2L * size, batchSize));
      }
      long digest = Store.digest(chunk) & 0x7fff0000L;
      keys[size++] = (long) store.directory(chunk) << 47 | digest << 16 | chunk;
    }

    void flush() {
      Arrays.sort(keys, 0, size);
      long last = -1;
      for (int i = 0; i < size; i++) {
        if (keys[i] == last) {
          continue;
        }
        last = keys[i];
        int directory = (int) (last >>> 47);
        if (!warm[directory]) {
          warm[directory] = true;
          kernel.list(directory);
        }
        touch((int) last);
      }
      size = 0;
    }
  }

  /** Sweeps. */
  void sweep() {
    boolean all = plan.sweep == Plan.Sweep.ALL || plan.sweep == Plan.Sweep.ALL_AS_LISTED;
    boolean asListed =
        plan.sweep == Plan.Sweep.ALL_AS_LISTED
            || plan.sweep == Plan.Sweep.CANDIDATES_AS_LISTED
            || plan.sweep == Plan.Sweep.OLD_AS_LISTED;
    for (int directory = 0; directory < shape.allDirectories(); directory++) {
      if (all) {
        kernel.list(directory);
      }
      if (directory < shape.directories()) {
        sweep(directory, all, asListed);
      }
    }
  }

  private void sweep(int directory, boolean all, boolean asListed) {
    boolean oldAlone = plan.sweep == Plan.Sweep.OLD || plan.sweep == Plan.Sweep.OLD_AS_LISTED;
    long[] entries = new long[store.start(directory + 1) - store.start(directory)];
    int count = 0;
    for (int i = store.start(directory); i < store.start(directory + 1); i++) {
      int chunk = store.entry(i);
      if (all || (oldAlone ? store.isOld(chunk) : !store.isUsed(chunk))) {
        long order = asListed ? Store.digest(chunk) & 0x7fffffff : 0;
        entries[count++] = order << 32 | chunk;
      }
    }
    Arrays.sort(entries, 0, count);
    for (int i = 0; i < count; i++) {
      int chunk = (int) entries[i];
      kernel.stat(chunk);
      if (store.isOld(chunk)) {
        if (!asListed) {
          kernel.setAside(chunk);
          kernel.stat(chunk);
        }
        kernel.unlink(chunk);
      }
    }
  }
}
