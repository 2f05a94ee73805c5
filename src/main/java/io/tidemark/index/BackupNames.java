package io.tidemark.index;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.List;
import java.util.regex.Pattern;

/** Knows how PBS names namespaces, groups and snapshots. */
final class BackupNames {
  static final List<String> TYPES = List.of("vm", "ct", "host");

  /** The deepest namespace that PBS makes, counted from the root, which has depth 0. */
  static final int MAXIMUM_DEPTH = 7;

  /** The file that a backup writes last: a snapshot without it is unfinished. */
  static final String MANIFEST = "index.json.blob";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*");
  private static final Pattern SNAPSHOT =
      Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z");

  private BackupNames() {}

  /** Tells whether a group or a component of a namespace may have this name. */
  static boolean isId(String name) {
    return ID.matcher(name).matches();
  }

  /** Tells whether the name has a snapshot's form, of whatever date. */
  static boolean looksLikeSnapshot(String name) {
    return SNAPSHOT.matcher(name).matches();
  }

  /** Tells whether a name of a snapshot's form is a point in time. */
  static boolean isDate(String snapshot) {
    try {
      LocalDateTime.parse(snapshot.substring(0, snapshot.length() - 1));
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }
}
