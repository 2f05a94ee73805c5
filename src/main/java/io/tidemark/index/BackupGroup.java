package io.tidemark.index;

import java.util.List;

/**
 * One backup group: what was backed up, and where its snapshots are.
 *
 * @param namespace the components of its namespace; none for the root
 * @param type {@code vm}, {@code ct} or {@code host}
 * @param id its name below the type
 * @param path its directory
 */
record BackupGroup(List<String> namespace, String type, String id, String path) {
  BackupGroup {
    namespace = List.copyOf(namespace);
  }

  /** Returns {@code type/id}, by which PBS names the group's lock. */
  String name() {
    return type + "/" + id;
  }
}
