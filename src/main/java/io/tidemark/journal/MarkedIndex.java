package io.tidemark.journal;

import io.tidemark.store.FileIdentity;

/**
 * How far the chunks that one index file requires have been touched.
 *
 * @param path the index file
 * @param identity which file it was then, with which contents
 * @param imageBytes the data that it stands for; -1 while it has not been read to its end
 * @param entries its digests; -1 while it has not been read to its end
 * @param done so many of its first digests have been dealt with
 * @param begun of so many of its first digests, those in chunk directories before {@code below}
 *     have been dealt with
 * @param below a directory's number
 */
public record MarkedIndex(
    String path,
    FileIdentity identity,
    long imageBytes,
    long entries,
    long done,
    long begun,
    int below) {

  /** Tells whether there is nothing left to do for the file. */
  public boolean isComplete() {
    return entries >= 0 && done >= entries;
  }
}
