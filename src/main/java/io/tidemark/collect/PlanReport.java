package io.tidemark.collect;

import io.tidemark.index.IndexSizes;
import io.tidemark.plan.Advice;
import io.tidemark.plan.Ages;
import io.tidemark.plan.Basis;
import io.tidemark.plan.Estimate;
import io.tidemark.plan.Forecast;
import io.tidemark.plan.Measure;
import io.tidemark.plan.Rates;
import io.tidemark.store.LastCollection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a collection that began now would find, and what it would take.
 *
 * @param store the datastore's directory
 * @param fileSystem the kind of file system of the chunks
 * @param atSeconds the moment that the plan is of, in seconds since 1970
 * @param minimumAtimeSeconds chunks used before this may go
 * @param graceSeconds how long an unused chunk is kept
 * @param basis what the figures rest on
 * @param looked what was looked at
 * @param indexes the index files and their sizes
 * @param last the last collection, if one is known
 * @param estimates how much there is of each kind; those that the basis cannot tell are left out
 * @param pending when chunks that stay for their grace time were used last
 * @param missing chunks that index files require and that do not exist; empty when unknown
 * @param rates how fast the store answered
 * @param forecasts how long a collection would take, by strategy
 * @param advice what to set
 * @param tookSeconds how long the plan took
 */
public record PlanReport(
    String store,
    String fileSystem,
    long atSeconds,
    long minimumAtimeSeconds,
    long graceSeconds,
    Basis basis,
    Looked looked,
    IndexSizes indexes,
    Optional<LastCollection> last,
    Map<Measure, Estimate> estimates,
    Ages pending,
    OptionalLong missing,
    Rates rates,
    List<Forecast> forecasts,
    List<Advice> advice,
    double tookSeconds) {

  /**
   * What was looked at.
   *
   * @param visited directories that were listed
   * @param directories how many there are
   * @param chunks whose status was read
   */
  public record Looked(long visited, long directories, long chunks) {}

  /** Returns how much there is of a kind that the basis can tell. */
  public Estimate estimate(Measure measure) {
    Estimate estimate = estimates.get(measure);
    if (estimate == null) {
      throw new IllegalArgumentException(basis + " does not tell " + measure);
    }
    return estimate;
  }
}
