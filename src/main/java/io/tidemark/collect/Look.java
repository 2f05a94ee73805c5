package io.tidemark.collect;

import io.tidemark.index.IndexFiles;
import io.tidemark.posix.SystemCalls;
import io.tidemark.store.AtimeCheck;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.ChunkStore;
import io.tidemark.store.MountOptions;
import io.tidemark.store.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks at a store before anything is written to it, and refuses one that looks wrong. */
final class Look {
  private final RunState state;
  private final SystemCalls calls;
  private final ChunkStore store;

  Look(RunState state, SystemCalls calls, ChunkStore store) {
    this.state = state;
    this.calls = calls;
    this.store = store;
  }

  /**
   * Finds the index files.
   *
   * @throws RefusedException when {@code .chunks} is empty or has a form that hides chunks, or no
   *     index file exists while chunks do
   */
  void run(IndexFiles index) {
    logPlace();
    boolean mayBeEmpty = state.options.emptyIndexSet() == Options.EmptyIndexSet.ALLOW;
    if (store.countDirectories() == 0 && !mayBeEmpty) {
      throw new RefusedException(
          store.chunksPath()
              + " has no chunk directories: is the disk mounted? Nothing was done; --allow-empty"
              + " says that it is meant");
    }
    if (index.discover() == 0 && !mayBeEmpty && hasChunks()) {
      throw new RefusedException(
          store.base()
              + " has chunks but no index file, so all of them would go: are its backups mounted?"
              + " Nothing was done; --allow-empty says that it is meant");
    }
  }

  private boolean hasChunks() {
    try (ChunkDirectory directory = store.directory(calls)) {
      return store.hasChunks(directory, AtimeCheck.PROBE_DIGEST);
    }
  }

  private void logPlace() {
    Path chunks = Path.of(store.chunksPath());
    if (Files.isSymbolicLink(chunks)) {
      try {
        state.log.info(chunks + " is a symbolic link to " + chunks.toRealPath());
      } catch (IOException e) {
        state.log.info(chunks + " is a symbolic link"); // it was opened, so it leads somewhere
      }
    }
    state.log.info(
        "Chunks are on %s, mounted %s"
            .formatted(
                store.fileSystem().typeName(), MountOptions.atime(store.chunksStatus().device())));
  }
}
