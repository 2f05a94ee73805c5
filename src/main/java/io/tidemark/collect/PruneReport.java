package io.tidemark.collect;

import io.tidemark.plan.SharedSizes;
import java.util.List;

/**
 * What snapshots have alone, and what would be freed without them.
 *
 * @param store the datastore's directory
 * @param atSeconds the moment, in seconds since 1970
 * @param graceSeconds how long an unused chunk is kept
 * @param indexFiles how many were read
 * @param snapshots those that were asked for, by name
 * @param groups their groups, as far as they were asked for
 * @param all all of them together: what is unique would become garbage
 * @param withoutIndexFiles what was asked for and has no index file
 */
public record PruneReport(
    String store,
    long atSeconds,
    long graceSeconds,
    long indexFiles,
    List<Snapshot> snapshots,
    List<Group> groups,
    SharedSizes.Usage all,
    List<String> withoutIndexFiles) {
  /** A snapshot; one that is protected is not pruned. */
  public record Snapshot(String name, Protection protection, SharedSizes.Usage usage) {}

  /** Says whether somebody has protected a snapshot from being pruned. */
  public enum Protection {
    NONE,
    PROTECTED
  }

  /**
   * A group.
   *
   * @param named how many of its snapshots were asked for
   * @param snapshots how many it has
   */
  public record Group(String name, int named, int snapshots, SharedSizes.Usage usage) {}
}
