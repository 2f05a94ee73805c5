package io.tidemark.index;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FileName;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.store.RefusedException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds every index file below a datastore's root, whether or not it is where PBS puts them. */
final class TreeWalk {
  /*
   * The walk must see everything or fail: a subtree left out costs the chunks that only its index
   * files refer to. Left out are, as in PBS, entries that begin with a dot and a lost+found in the
   * root that may not be read; what vanishes meanwhile is named in the log. Other than in PBS, a
   * root whose own name begins with a dot is walked, and a link to a directory stops the run: PBS
   * does not follow it and collects what is needed behind it. Mount points are entered.
   */
  private static final String LOST_AND_FOUND = "lost+found";
  private static final String CHUNKS = ".chunks";

  private final SystemCalls calls;
  private final Listing listing;
  private final RunLog log;
  private final Set<String> found = new HashSet<>();
  private final FileStatus status = new FileStatus();

  TreeWalk(SystemCalls calls, Listing listing, RunLog log) {
    this.calls = calls;
    this.listing = listing;
    this.log = log;
  }

  /**
   * Returns the paths of all index files, each beginning with {@code base}.
   *
   * @throws RefusedException when the tree holds something behind which index files could hide
   */
  Set<String> run(String base) {
    String root = base.isEmpty() ? "/" : base;
    List<Listing.Entry> entries =
        listing
            .listFollowing(root)
            .orElseThrow(() -> new PosixException("cannot open datastore", root, Errno.ENOENT));
    for (Listing.Entry entry : entries) {
      if (!entry.name().startsWith(".")) {
        visitInRoot(base, entry);
      }
    }
    return found;
  }

  private void visitInRoot(String base, Listing.Entry entry) {
    try {
      visit(base + "/" + entry.name(), entry);
    } catch (PosixException e) {
      String ignored = base + "/" + LOST_AND_FOUND;
      if (e.errno() != Errno.EACCES || !e.path().equals(ignored)) {
        throw e;
      }
    }
  }

  private void visit(String path, Listing.Entry entry) {
    switch (entry.kind()) {
      case DIRECTORY -> {
        collect(path);
        descend(path);
      }
      case FILE, OTHER -> collect(path);
      case LINK -> visitLink(path);
      case GONE -> vanished(path);
    }
  }

  private void descend(String directory) {
    Optional<List<Listing.Entry>> entries = listing.list(directory);
    if (entries.isEmpty()) {
      vanished(directory);
      return;
    }
    for (Listing.Entry entry : entries.get()) {
      String path = directory + "/" + entry.name();
      if (entry.name().equals(CHUNKS)) {
        refuseNested(directory, path);
      } else if (!entry.name().startsWith(".")) {
        visit(path, entry);
      }
    }
  }

  private void visitLink(String link) {
    if (leadsToDirectory(link)) {
      throw new RefusedException(
          ("refused: %s is a symbolic link to a directory, which Proxmox Backup Server does not"
                  + " follow: chunks that only index files behind it refer to would be removed;"
                  + " nothing was removed: replace the link by a bind mount or by the directory")
              .formatted(link));
    }
    collect(link);
  }

  private void refuseNested(String directory, String path) {
    if (leadsToDirectory(path)) {
      throw new RefusedException(
          ("refused: %s holds %s and so is a datastore inside of this one: its index files refer"
                  + " to chunks that are not here; nothing was removed: move it elsewhere")
              .formatted(directory, CHUNKS));
    }
  }

  /* A link that leads nowhere, in a circle or through a file leads to no directory. */
  private boolean leadsToDirectory(String path) {
    int result = calls.statx(Open.AT_FDCWD, FileName.encode(path), 0, status);
    if (result == -Errno.ENOENT || result == -Errno.ELOOP || result == -Errno.ENOTDIR) {
      return false;
    }
    PosixException.check(result, "cannot stat", path);
    return status.isDirectory();
  }

  private void collect(String path) {
    if (IndexLayout.names(path)) {
      found.add(path);
    }
  }

  private void vanished(String path) {
    log.info("ignoring vanished file: \"" + path + "\"");
  }
}
