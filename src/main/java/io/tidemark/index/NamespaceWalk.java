package io.tidemark.index;

import io.tidemark.posix.FileName;
import io.tidemark.store.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Finds the backup groups of a live datastore: namespaces depth-first, parents first. */
final class NamespaceWalk {
  /*
   * Every directory is listed just before it is used, in its own order, as PBS does. What vanished
   * by then is passed over: a group or a namespace that is gone needs no chunks, and moves between
   * namespaces are in the move journal. Links and odd names are not errors here, but for names of
   * namespaces: their index files, if any, are found by the tree walk.
   */
  private final Listing listing;
  private final Consumer<BackupGroup> visitor;

  NamespaceWalk(Listing listing, Consumer<BackupGroup> visitor) {
    this.listing = listing;
    this.visitor = visitor;
  }

  /** Passes every group below {@code base} to the visitor. */
  void run(String base) {
    visitNamespace(base, new ArrayList<>());
  }

  private void visitNamespace(String directory, List<String> namespace) {
    visitTypes(directory, namespace);
    if (namespace.size() < BackupNames.MAXIMUM_DEPTH) {
      visitChildren(directory + "/ns", namespace);
    }
  }

  private void visitTypes(String directory, List<String> namespace) {
    for (Listing.Entry type : listing.listFollowing(directoryName(directory)).orElse(List.of())) {
      if (type.isDirectory() && BackupNames.TYPES.contains(type.name())) {
        visitGroups(directory + "/" + type.name(), type.name(), namespace);
      }
    }
  }

  private void visitGroups(String directory, String type, List<String> namespace) {
    for (Listing.Entry group : listing.list(directory).orElse(List.of())) {
      if (group.isDirectory() && BackupNames.isId(group.name())) {
        String path = directory + "/" + group.name();
        visitor.accept(new BackupGroup(namespace, type, group.name(), path));
      }
    }
  }

  private void visitChildren(String directory, List<String> namespace) {
    for (Listing.Entry child : listing.list(directory).orElse(List.of())) {
      String path = directory + "/" + child.name();
      if (!child.isDirectory() || !FileName.isUtf8(child.name())) {
        continue;
      }
      if (!BackupNames.isId(child.name())) {
        throw new RefusedException(
            ("refused: the directory %s cannot be a namespace, as all directories there must be:"
                    + " its name has characters that Proxmox Backup Server does not allow;"
                    + " nothing was removed: move it out of the datastore")
                .formatted(path));
      }
      namespace.add(child.name());
      visitNamespace(path, namespace);
      namespace.removeLast();
    }
  }

  private static String directoryName(String directory) {
    return directory.isEmpty() ? "/" : directory;
  }
}
