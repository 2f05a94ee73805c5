package io.tidemark.index;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers the index files in the order of reading; any thread may ask for a path. */
final class Owners {
  private final List<String> paths = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();

  /** Returns the number of {@code path}, the next free one if it has none yet. */
  synchronized int of(String path) {
    Integer known = numbers.putIfAbsent(path, paths.size());
    if (known != null) {
      return known;
    }
    paths.add(path);
    return paths.size() - 1;
  }

  /** Tells whether {@code path} has a number. */
  synchronized boolean contains(String path) {
    return numbers.containsKey(path);
  }

  synchronized String path(int owner) {
    return paths.get(owner);
  }
}
