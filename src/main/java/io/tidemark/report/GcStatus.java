package io.tidemark.report;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

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
    return JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(fields());
  }

  /** Returns the fields by their names in the file, in order. */
  public Map<String, @Nullable Object> fields() {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("upid", null);
    fields.put("index-file-count", indexFileCount);
    fields.put("index-data-bytes", indexDataBytes);
    fields.put("disk-bytes", diskBytes);
    fields.put("disk-chunks", diskChunks);
    fields.put("removed-bytes", removedBytes);
    fields.put("removed-chunks", removedChunks);
    fields.put("pending-bytes", pendingBytes);
    fields.put("pending-chunks", pendingChunks);
    fields.put("removed-bad", removedBad);
    fields.put("still-bad", stillBad);
    Map<String, Long> cache = new LinkedHashMap<>();
    cache.put("hits", cacheStats.hits());
    cache.put("misses", cacheStats.misses());
    fields.put("cache-stats", cache);
    return fields;
  }
}
