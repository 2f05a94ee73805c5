package io.tidemark.sweep;

import io.tidemark.posix.FileStatus;

/** Says which time of a chunk counts as its last use. */
public enum Age {
  /** The access time, which every use sets. */
  ACCESS,
  /**
   * The access time, or the modification time if that is later: for a run that has not checked
   * whether access times are kept. The change time does not count, since a change of the owner or a
   * rename, which concerns all chunks alike, sets it.
   */
  ACCESS_OR_WRITING;

  long seconds(FileStatus status) {
    return this == ACCESS
        ? status.atimeSeconds()
        : Math.max(status.atimeSeconds(), Math.floorDiv(status.mtimeInNanos(), 1_000_000_000L));
  }
}
