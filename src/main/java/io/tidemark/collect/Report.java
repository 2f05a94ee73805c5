package io.tidemark.collect;

import io.tidemark.flush.MissingChunks;
import io.tidemark.report.DirectoryMap;
import io.tidemark.report.GcStatus;
import io.tidemark.report.Warning;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a collection did, also when it failed; the counts are those reached by then.
 *
 * @param outcome how it ended
 * @param error why it did not succeed; one line
 * @param status the figures that PBS keeps of a collection
 * @param strategy how the mark was carried out
 * @param batchSize the most references a batch
 * @param started when it began
 * @param ended when it ended
 * @param continuedFrom when the interrupted run began that it continued
 * @param minimumAtime chunks used before this could go; empty when it did not come so far
 * @param references digests read from index files
 * @param touched access times set
 * @param skipped touches that were not needed, since the access time was young enough
 * @param missingCount chunks that an index file requires and that do not exist
 * @param missing the first 100,000 of them, ascending
 * @param flushes how many batches were flushed
 * @param directoriesWarmed how often a chunk directory was read ahead of its use
 * @param directoriesAlreadyWarm how often that was not needed
 * @param foreign entries of chunk directories that were left alone
 * @param gone files that vanished between their listing and their turn
 * @param removeFailures chunks that could not be removed
 * @param phases how long each phase took
 * @param warningCount how many warnings there were
 * @param warnings the first 100 of each kind
 * @param directories what each chunk directory held
 */
public record Report(
    Outcome outcome,
    Optional<String> error,
    GcStatus status,
    Strategy strategy,
    int batchSize,
    Instant started,
    Instant ended,
    Optional<Instant> continuedFrom,
    Optional<Instant> minimumAtime,
    long references,
    long touched,
    long skipped,
    long missingCount,
    List<MissingChunks.Missing> missing,
    long flushes,
    long directoriesWarmed,
    long directoriesAlreadyWarm,
    long foreign,
    long gone,
    long removeFailures,
    List<Phase> phases,
    long warningCount,
    List<Warning> warnings,
    DirectoryMap directories) {

  /**
   * A part of a collection.
   *
   * @param name what was done
   * @param seconds how long it took
   */
  public record Phase(String name, double seconds) {}
}
