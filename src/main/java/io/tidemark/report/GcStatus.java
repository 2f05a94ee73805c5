package io.tidemark.report;

import tools.jackson.jr.ob.JSON;
import tools.jackson.jr.ob.comp.ComposerBase;
import tools.jackson.jr.ob.comp.ObjectComposer;

/**
 * What one collection found and removed: the fields of a datastore's {@code .gc-status}, in order.
 *
 * @param indexFileCount index files marked
 * @param indexDataBytes logical size of what they describe
 * @param diskBytes bytes of the chunks in use
 * @param diskChunks chunks in use
 * @param removedBytes bytes removed
 * @param removedChunks chunks removed
 * @param pendingBytes bytes of chunks unused, but too young to remove
 * @param pendingChunks their number
 * @param removedBad files set aside as corrupt that were removed
 * @param stillBad files set aside as corrupt that stay
 * @param cacheStats how often the digest cache knew a reference
 */
public record GcStatus(
    long indexFileCount,
    long indexDataBytes,
    long diskBytes,
    long diskChunks,
    long removedBytes,
    long removedChunks,
    long pendingBytes,
    long pendingChunks,
    long removedBad,
    long stillBad,
    CacheStats cacheStats) {
  /*
   * Proxmox Backup Server parses this object strictly: every number must be there. The task id
   * "upid" is null, since no task of the server ran; it then shows no details of a last run.
   */

  /** Hits and misses of the digest cache; zeros when it is off. */
  public record CacheStats(long hits, long misses) {
    public static final CacheStats NONE = new CacheStats(0, 0);
  }

  /** Returns the JSON object, in one line without an end. */
  public String toJson() {
    var object = JSON.std.composeString().startObject();
    compose(object);
    return object.end().finish();
  }

  /** Adds the fields to an object that has others too. */
  public <P extends ComposerBase> void compose(ObjectComposer<P> into) {
    into.putNull("upid")
        .put("index-file-count", indexFileCount)
        .put("index-data-bytes", indexDataBytes)
        .put("disk-bytes", diskBytes)
        .put("disk-chunks", diskChunks)
        .put("removed-bytes", removedBytes)
        .put("removed-chunks", removedChunks)
        .put("pending-bytes", pendingBytes)
        .put("pending-chunks", pendingChunks)
        .put("removed-bad", removedBad)
        .put("still-bad", stillBad)
        .startObjectProperty("cache-stats")
        .put("hits", cacheStats.hits())
        .put("misses", cacheStats.misses())
        .end();
  }
}
