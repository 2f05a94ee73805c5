package io.tidemark.collect;

import io.tidemark.index.IndexSizes;
import io.tidemark.plan.Advice;
import io.tidemark.plan.Estimate;
import io.tidemark.plan.Forecast;
import io.tidemark.plan.Interval;
import io.tidemark.plan.Measure;
import io.tidemark.plan.Rates;
import io.tidemark.plan.Timings;
import io.tidemark.plan.Workload;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import io.tidemark.store.LastCollection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Tells what a collection would find and take, and changes nothing. */
public final class Planner {
  /*
   * look -> pilot -> read index files while time allows -> sample (or everything) -> forecast. No
   * lock is taken: beside a running backup the plan is a view of a moment that nobody holds still.
   *
   * The pilot is 64 chunks in each of 96 directories. It tells how many chunks a directory has and
   * how fast the store answers, from which the size of the sample follows.
   */
  private static final int PILOT_DIRECTORIES = 96;
  private static final int PILOT_CHUNKS = 64;

  private final PlanOptions options;
  private final Environment environment;
  private final StopToken stop;

  /** Makes a planner that sees the machine through {@code environment}. */
  public Planner(PlanOptions options, Environment environment, StopToken stop) {
    this.options = options;
    this.environment = environment;
    this.stop = stop;
  }

  /**
   * Plans a collection.
   *
   * @throws io.tidemark.store.RefusedException when the store cannot be collected
   * @throws io.tidemark.index.CorruptIndexException when an index file cannot be trusted
   * @throws io.tidemark.posix.PosixException when something cannot be read
   * @throws io.tidemark.report.StoppedException when a stop was requested
   */
  public PlanReport plan() {
    boolean all = options.depth() == PlanOptions.Depth.EVERYTHING;
    long begin = environment.clock().monotonicNanos();
    long deadline = begin + options.time().toNanos();
    try (PlanSite site =
        new PlanSite(options.run(), environment, stop, all ? new RunLog() : RunLog.silent())) {
      IndexSizes indexes = site.index.sizes();
      Optional<LastCollection> last = LastCollection.read(site.store.base());
      Timings timings = new Timings();
      long before = site.nanos();
      PlanSample pilot =
          new PlanSample(
              site.state,
              site.workers,
              site.scatteredDirectories(),
              timings,
              site.cutoff,
              OptionalLong.empty(),
              Optional.empty());
      var met =
          pilot.take(PILOT_DIRECTORIES, PILOT_CHUNKS, before + options.time().toNanos() / 4, 16);
      Rates first = timings.rates(site.nanos() - before, 0);
      PlanFindings findings =
          all
              ? new ExactPlan(site).run(first)
              : new SampledPlan(site, indexes, last, deadline).run(met, first);
      return report(site, indexes, last, findings, begin);
    }
  }

  private PlanReport report(
      PlanSite site,
      IndexSizes indexes,
      Optional<LastCollection> last,
      PlanFindings findings,
      long begin) {
    Map<Measure, Estimate> estimates = findings.estimates();
    Workload work =
        new Workload(
            site.store.directories().cardinality(),
            estimates.getOrDefault(Measure.PRESENT, Estimate.exactly(0, 0, 0)).chunks().estimate(),
            used(estimates, last),
            indexes.references(),
            options.run().batchSize(),
            site.state.environment.cache().bytes(site.store.fileSystem().type()));
    List<Forecast> forecasts = Forecast.of(work, findings.rates());
    Advice.Situation situation =
        new Advice.Situation(
            likelyFreed(estimates),
            last.isPresent(),
            site.glance.isActive(),
            site.store.fileSystem().isNetwork());
    return new PlanReport(
        site.store.base(),
        site.store.fileSystem().typeName(),
        site.glance.startSeconds(),
        site.cutoff.minimumAtimeSeconds(),
        site.settings.graceSeconds(),
        findings.basis(),
        findings.looked(),
        indexes,
        last,
        estimates,
        findings.pending(),
        findings.missing(),
        findings.rates(),
        forecasts,
        Advice.of(forecasts, situation),
        (site.nanos() - begin) / 1e9);
  }

  private static Interval used(Map<Measure, Estimate> estimates, Optional<LastCollection> last) {
    Interval present = estimates.getOrDefault(Measure.PRESENT, Estimate.exactly(0, 0, 0)).chunks();
    Estimate freed = estimates.get(Measure.FREED);
    Estimate pending = estimates.get(Measure.PENDING);
    if (freed != null && pending != null) {
      Interval unused = freed.chunks().plus(pending.chunks());
      return new Interval(
          Math.max(0, present.estimate() - unused.high()),
          Math.max(0, present.estimate() - unused.estimate()),
          Math.max(0, present.estimate() - unused.low()));
    }
    double least = last.map(found -> (double) found.usedChunks()).orElse(0.0);
    return new Interval(Math.min(least, present.low()), present.estimate(), present.high());
  }

  /* By access times alone, whatever is old may be in use all the same: that is no reason to act. */
  private static Estimate likelyFreed(Map<Measure, Estimate> estimates) {
    Estimate none = Estimate.exactly(0, 0, 0);
    return estimates.getOrDefault(Measure.FREED, estimates.getOrDefault(Measure.UNMARKED, none));
  }
}
