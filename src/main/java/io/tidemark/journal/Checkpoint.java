package io.tidemark.journal;

import java.util.List;
import java.util.Map;

/**
 * What a run had done, durably, at one moment.
 *
 * @param origin the run
 * @param sequence counts the checkpoints of the run
 * @param notedSeconds when this was noted, in seconds since 1970 by the file system's clock
 * @param phase what it was doing
 * @param touched which chunks had been touched, for a mark in the order of inodes
 * @param swept chunk directories with a smaller number had been swept
 * @param figures what had been counted
 * @param indexes the index files that had been read
 * @param missing chunks that were missing
 */
public record Checkpoint(
    Origin origin,
    long sequence,
    long notedSeconds,
    Phase phase,
    TouchClaim touched,
    int swept,
    Map<String, Long> figures,
    List<MarkedIndex> indexes,
    List<MissingChunk> missing) {

  /** What a run is doing. */
  public enum Phase {
    /** Some chunks that are required may not have been touched. */
    MARK,
    /** All that the index files listed here require have been. */
    SWEEP
  }
}
