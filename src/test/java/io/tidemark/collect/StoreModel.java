package io.tidemark.collect;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What a collection must do to a store, worked out from the specification of PBS alone. */
final class StoreModel {
  /*
   * Names are those below .chunks. Marking: a required chunk is young from then on; one that was
   * set aside gets its name back; one that is missing passes its youth on to its corrupt copies.
   * Sweeping: every regular file with one of the names that count goes or stays by its own age.
   */
  private static final Pattern CHUNK = Pattern.compile("[0-9a-f]{4}/[0-9a-f]{64}");
  private static final Pattern BAD = Pattern.compile("[0-9a-f]{4}/[0-9a-f]{64}\\.[0-9]\\.bad");
  private static final Pattern USING = Pattern.compile("[0-9a-f]{4}/[0-9a-f]{64}\\.using");
  private static final Pattern ASIDE = Pattern.compile("[0-9a-f]{4}/[0-9a-f]{64}\\.tidemark");

  /** How an index file is found, if at all. */
  enum Place {
    EXPECTED,
    STRANGE,
    HIDDEN
  }

  private record File(long atimeSeconds, long bytes) {}

  private final NavigableMap<String, File> files = new TreeMap<>();
  private final NavigableSet<String> others = new TreeSet<>();
  private final List<String> references = new ArrayList<>();
  private long indexFiles;
  private long indexBytes;
  private boolean strange;

  /** What must be found afterwards. */
  static final class Expectation {
    final NavigableSet<String> survivors = new TreeSet<>();
    final NavigableSet<String> touched = new TreeSet<>();
    final NavigableMap<String, Integer> missing = new TreeMap<>();
    long indexFiles;
    long indexBytes;
    long references;
    long uniqueReferences;
    long diskBytes;
    long diskChunks;
    long removedBytes;
    long removedChunks;
    long pendingBytes;
    long pendingChunks;
    long removedBad;
    long stillBad;
    long foreign;
    boolean warned;
  }

  /** Puts a regular file into a chunk directory. */
  void file(String name, long atimeSeconds, long bytes) {
    files.put(name, new File(atimeSeconds, bytes));
  }

  /** Puts a link or a directory into a chunk directory. */
  void other(String name) {
    others.add(name);
  }

  /** Adds an index file that stands for {@code bytes} of data. */
  void index(Place place, List<String> digests, long bytes) {
    if (place != Place.HIDDEN) {
      indexFiles++;
      indexBytes += bytes;
      references.addAll(digests);
      strange |= place == Place.STRANGE;
    }
  }

  boolean exists(String name) {
    return files.containsKey(name) || others.contains(name);
  }

  /** Returns what a run must do that starts at {@code start}. */
  Expectation collect(long start, long graceSeconds) {
    Expectation result = new Expectation();
    result.indexFiles = indexFiles;
    result.indexBytes = indexBytes;
    result.references = references.size();
    NavigableMap<String, File> left = new TreeMap<>(files);
    for (String digest : new TreeSet<>(references)) {
      result.uniqueReferences++;
      mark(digest, left, result);
    }
    restore(left);
    left.forEach((name, file) -> sweep(name, file, start, start - graceSeconds, result));
    result.foreign += others.size();
    result.warned = strange || !result.missing.isEmpty();
    return result;
  }

  private void mark(String digest, NavigableMap<String, File> left, Expectation result) {
    String name = digest.substring(0, 4) + "/" + digest;
    if (others.contains(name)) {
      return;
    }
    File aside = left.get(name + ".tidemark");
    if (!left.containsKey(name) && aside != null) {
      left.remove(name + ".tidemark");
      left.put(name, aside);
    }
    if (left.containsKey(name)) {
      result.touched.add(name);
      return;
    }
    int bad = 0;
    for (int i = 0; i < 10; i++) {
      String copy = name + "." + i + ".bad";
      if (left.containsKey(copy)) {
        result.touched.add(copy);
      }
      bad += left.containsKey(copy) || others.contains(copy) ? 1 : 0;
    }
    result.missing.put(digest, bad);
  }

  private void restore(NavigableMap<String, File> left) {
    for (String name : List.copyOf(left.keySet())) {
      if (ASIDE.matcher(name).matches()) {
        File aside = left.remove(name);
        String chunk = name.substring(0, name.length() - ".tidemark".length());
        if (aside != null && !others.contains(chunk)) {
          left.putIfAbsent(chunk, aside);
        }
      }
    }
  }

  private static void sweep(String name, File file, long start, long minimum, Expectation result) {
    boolean chunk = CHUNK.matcher(name).matches();
    boolean bad = BAD.matcher(name).matches();
    if (USING.matcher(name).matches()) {
      return;
    }
    if (!chunk && !bad) {
      result.survivors.add(name);
      result.foreign++;
      return;
    }
    boolean touched = result.touched.contains(name);
    if (touched || file.atimeSeconds >= start) {
      result.diskBytes += file.bytes;
      result.diskChunks += chunk ? 1 : 0;
    } else if (file.atimeSeconds >= minimum) {
      result.pendingBytes += file.bytes;
      result.pendingChunks += chunk ? 1 : 0;
      result.stillBad += bad ? 1 : 0;
    } else {
      result.removedBytes += file.bytes;
      result.removedChunks += chunk ? 1 : 0;
      result.removedBad += bad ? 1 : 0;
      return;
    }
    result.survivors.add(name);
  }
}
