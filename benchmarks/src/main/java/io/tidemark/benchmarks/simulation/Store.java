package io.tidemark.benchmarks.simulation;

import java.util.SplittableRandom;

/** The chunks of a simulated store: which directory each is in, and who requires it. */
final class Store {
  /*
   * A chunk's number is its place in the order of creation, and so of inode numbers. The
   * references are made as cold/store.c makes them: each group has an image, each snapshot changes
   * a share of it, one change in fifty takes a chunk that some group has already. There, chunks
   * are created in random order afterwards; here, numbers are given in random order.
   *
   * A collection reads group by group, the newest snapshot first. So each group has a journal of
   * what each snapshot changed, which is undone snapshot by snapshot.
   */
  private static final int SHARED = 50;
  private static final long SEED = 1;
  private static final byte OLD = 1;
  private static final byte YOUNG = 2;

  final Shape shape;
  private final int[] numbers;
  private final int[] starts;
  private final int[] byDirectory;
  private final byte[] kinds;
  private long references;

  /** Takes the references of a store in the order in which a collection reads them. */
  interface Reader {
    void reference(int chunk);
  }

  Store(Shape shape) {
    this.shape = shape;
    SplittableRandom random = new SplittableRandom(SEED);
    numbers = new int[shape.chunks()];
    for (int i = 0; i < numbers.length; i++) {
      int other = random.nextInt(i + 1);
      numbers[i] = numbers[other];
      numbers[other] = i;
    }
    starts = new int[shape.directories() + 1];
    for (int chunk = 0; chunk < numbers.length; chunk++) {
      starts[directory(chunk) + 1]++;
    }
    for (int i = 0; i < shape.directories(); i++) {
      starts[i + 1] += starts[i];
    }
    int[] ends = starts.clone();
    byDirectory = new int[numbers.length];
    for (int chunk = 0; chunk < numbers.length; chunk++) {
      byDirectory[ends[directory(chunk)]++] = chunk;
    }
    kinds = new byte[numbers.length];
    for (int i = shape.used(); i < numbers.length; i++) {
      kinds[numbers[i]] = i < shape.used() + shape.old() ? OLD : YOUNG;
    }
  }

  boolean isUsed(int chunk) {
    return kinds[chunk] == 0;
  }

  boolean isOld(int chunk) {
    return kinds[chunk] == OLD;
  }

  /** Returns 64 bits that stand for a chunk's digest. */
  static long digest(int chunk) {
    long z = (chunk + 1) * 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  int directory(int chunk) {
    return (int) ((digest(chunk) >>> 33) * shape.directories() >>> 31);
  }

  /** Returns where a chunk's name is in its directory by hash, from 0 to 1. */
  static double place(int chunk) {
    return (digest(chunk) & 0x7fffffff) / 2147483648.0;
  }

  /** Returns where the entries of a directory begin, in {@link #entry}. */
  int start(int directory) {
    return starts[directory];
  }

  /** Returns the chunk of an entry; those of a directory ascend by inode number. */
  int entry(int index) {
    return byDirectory[index];
  }

  /** Returns how many references have been read in all. */
  long references() {
    return references;
  }

  /** Reads all references. */
  void read(Reader reader) {
    SplittableRandom random = new SplittableRandom(SEED + 1);
    int largeChunks = (int) (shape.used() * shape.large());
    int largeGroups = 0;
    if (largeChunks > 0) {
      int chunksOfLarge =
          (int) (shape.largeImage() * (1 + (shape.snapshots() - 1) * shape.change()));
      largeGroups = Math.max(1, largeChunks / chunksOfLarge);
    }
    int smallGroups = Math.max(1, shape.groups() - largeGroups);
    int given = 0;
    for (int group = 0; group < largeGroups + smallGroups; group++) {
      int chunks =
          group < largeGroups
              ? largeChunks / largeGroups
              : (shape.used() - largeChunks) / smallGroups;
      boolean last = group == largeGroups + smallGroups - 1;
      if (last) {
        chunks = shape.used() - given;
      }
      readGroup(reader, random, given, chunks);
      given += chunks;
    }
  }

  private void readGroup(Reader reader, SplittableRandom random, int first, int chunks) {
    int size = shape.image(chunks);
    int changes = (int) (size * shape.change());
    int snapshots = changes == 0 ? 1 : shape.snapshots();
    // The changes beyond the images are spread, so that each of the group's chunks is used.
    int[] image = new int[size];
    int next = first;
    for (int at = 0; at < size; at++) {
      image[at] = next++;
    }
    int[] places = new int[changes * (snapshots - 1)];
    int[] before = new int[places.length];
    int step = 0;
    for (int snapshot = 1; snapshot < snapshots; snapshot++) {
      for (int i = 0; i < changes; i++) {
        long part = (long) i * size / changes;
        long end = (long) (i + 1) * size / changes;
        int at = (int) (part + random.nextInt((int) (end - part)));
        places[step] = at;
        before[step++] = image[at];
        image[at] =
            random.nextInt(SHARED) == 0 || next == first + chunks
                ? random.nextInt(first + chunks)
                : next++;
      }
    }
    for (int snapshot = snapshots - 1; snapshot >= 0; snapshot--) {
      for (int at = 0; at < size; at++) {
        reader.reference(numbers[image[at]]);
      }
      references += size;
      for (int i = 0; i < changes && snapshot > 0; i++) {
        step--;
        image[places[step]] = before[step];
      }
    }
    // What no snapshot happened to need is required by one more index.
    for (int rest = next; rest < first + chunks; rest++) {
      reader.reference(numbers[rest]);
      references++;
    }
  }
}
