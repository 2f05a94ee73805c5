package io.tidemark.store;

import io.tidemark.posix.SystemCalls;
import io.tidemark.store.DirectoryIdentity.Ancestor;
import java.util.List;
import java.util.Optional;

/** Refuses datastores that lie inside one another. */
final class NestedStores {
  /*
   * The walk of the outer store would find the index files of the inner one and look for their
   * chunks in its own chunk directory. The server compares the configured paths as text. We also
   * walk from each store up to the root and compare directories, so that links do not hide one;
   * and where nothing is configured, a directory above that has chunks is taken for a datastore.
   */
  private NestedStores() {}

  static void refuse(
      SystemCalls calls,
      String base,
      Optional<DatastoreSettings> own,
      List<DatastoreSettings> stores) {
    String path = own.map(DatastoreSettings::path).orElse(base);
    Optional<DirectoryIdentity> identity = DirectoryIdentity.of(calls, base);
    List<Ancestor> above = DirectoryIdentity.ancestors(calls, base);
    for (DatastoreSettings other : stores) {
      if (own.isPresent() && own.get().equals(other)) {
        continue;
      }
      Optional<DirectoryIdentity> place = DirectoryIdentity.of(calls, other.path());
      if (isBelow(path, other.path()) || contains(above, place)) {
        throw refused(base, "lies inside", other);
      }
      if (isBelow(other.path(), path)
          || contains(DirectoryIdentity.ancestors(calls, other.path()), identity)) {
        throw refused(base, "contains", other);
      }
    }
    if (own.isEmpty()) {
      above.stream()
          .filter(Ancestor::hasChunks)
          .findFirst()
          .ifPresent(
              outer -> {
                throw new RefusedException(
                    ("datastore %s lies inside another one: %s has .chunks, too; nothing was done;"
                            + " move one of the two")
                        .formatted(base, outer.path()));
              });
    }
  }

  private static boolean contains(List<Ancestor> above, Optional<DirectoryIdentity> identity) {
    return above.stream().anyMatch(ancestor -> Optional.of(ancestor.identity()).equals(identity));
  }

  private static boolean isBelow(String inner, String outer) {
    String prefix = outer.endsWith("/") ? outer : outer + "/";
    return inner.startsWith(prefix) || (inner + "/").equals(prefix);
  }

  private static RefusedException refused(String base, String how, DatastoreSettings other) {
    return new RefusedException(
        "datastore %s %s datastore %s at %s; nothing was done; move one of the two"
            .formatted(base, how, other.name(), other.path()));
  }
}
