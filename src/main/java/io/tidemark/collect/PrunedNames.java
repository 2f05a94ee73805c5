package io.tidemark.collect;

import io.tidemark.store.RefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The snapshots and groups that are asked for, and which index files belong to them. */
final class PrunedNames {
  /*
   * Names are paths below the datastore, as it has them: vm/100 is a group and
   * ns/a/vm/100/2026-01-01T00:00:00Z a snapshot. Snapshots get numbers from 1 on, those of a group
   * when their first index file is met; 0 is every other index file.
   */
  static final int OTHERS = 0;

  private static final String COMPONENT = "[A-Za-z0-9_][A-Za-z0-9._-]*";
  private static final Pattern GROUP =
      Pattern.compile("(?:ns/" + COMPONENT + "/)*(?:vm|ct|host)/" + COMPONENT);
  private static final Pattern SNAPSHOT =
      Pattern.compile(GROUP.pattern() + "/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z");

  private final String base;
  private final Set<String> named;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final Map<String, Set<String>> met = new TreeMap<>();

  /**
   * @param names of which each is one
   * @throws RefusedException when there is no such snapshot or group
   */
  PrunedNames(String base, List<String> names) {
    this.base = base;
    this.named = new LinkedHashSet<>();
    for (String name : names) {
      String plain = plain(name);
      if (!Files.isDirectory(Path.of(base, plain))) {
        throw new RefusedException(
            "there is no %s in %s; nothing was done; name it as the datastore has it"
                .formatted(plain, base));
      }
      named.add(plain);
    }
  }

  /** Tells whether this can be the name of a snapshot or a group. */
  static boolean isName(String name) {
    String plain = plain(name);
    return SNAPSHOT.matcher(plain).matches() || GROUP.matcher(plain).matches();
  }

  private static String plain(String name) {
    return name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
  }

  /** Returns the number of the snapshot to which an index file belongs. */
  int numberOf(String path) {
    int end = path.lastIndexOf('/');
    if (!path.startsWith(base + "/") || end <= base.length()) {
      return OTHERS;
    }
    String snapshot = path.substring(base.length() + 1, end);
    if (!SNAPSHOT.matcher(snapshot).matches()) {
      return OTHERS;
    }
    met.computeIfAbsent(groupOf(snapshot), group -> new TreeSet<>()).add(snapshot);
    if (!named.contains(snapshot) && !named.contains(groupOf(snapshot))) {
      return OTHERS;
    }
    return numbers.computeIfAbsent(snapshot, name -> numbers.size() + 1);
  }

  private static String groupOf(String snapshot) {
    return snapshot.substring(0, snapshot.lastIndexOf('/'));
  }

  /** Returns the snapshots that are asked for, in order of their names, with their numbers. */
  Map<String, Integer> snapshots() {
    return new TreeMap<>(numbers);
  }

  /** Returns what was asked for and has no index file. */
  List<String> withoutIndexFiles() {
    List<String> empty = new ArrayList<>();
    for (String name : named) {
      boolean found =
          numbers.keySet().stream()
              .anyMatch(snapshot -> snapshot.equals(name) || groupOf(snapshot).equals(name));
      if (!found) {
        empty.add(name);
      }
    }
    return empty;
  }

  /** Returns the groups of these snapshots, with the numbers of those that are asked for. */
  Map<String, BitSet> groups() {
    Map<String, BitSet> groups = new TreeMap<>();
    numbers.forEach(
        (snapshot, number) ->
            groups.computeIfAbsent(groupOf(snapshot), group -> new BitSet()).set(number));
    return groups;
  }

  /** Returns how many snapshots of a group have index files. */
  int snapshotsIn(String group) {
    return met.getOrDefault(group, Set.of()).size();
  }

  /** Tells whether somebody has protected a snapshot from being pruned. */
  boolean isProtected(String snapshot) {
    return Files.exists(Path.of(base, snapshot, ".protected"));
  }
}
