package io.tidemark.collect;

import io.tidemark.index.IndexSizes;
import io.tidemark.plan.Basis;
import io.tidemark.plan.Estimate;
import io.tidemark.plan.Measure;
import io.tidemark.plan.Rates;
import io.tidemark.plan.ReadingPace;
import io.tidemark.plan.StoreSample;
import io.tidemark.plan.Timings;
import io.tidemark.store.LastCollection;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Looks into as many directories as the wanted precision takes, or as the time allows. */
final class SampledPlan {
  /*
   * 160,000 chunks give a share of a fifth within 0.2 points. They are to come from 256 directories
   * or more, since directories may differ; a store of fewer chunks is looked at as a whole. Three
   * fifths of the time are for the index files: all of them or none help, so their reading ends as
   * soon as its rate says that it will not be done in time.
   *
   * How many chunks of a directory are affordable follows from the pilot, which is slow when the
   * program has just begun; so when there is time left, more of each are looked at. Rates are those
   * of the first time: after that, memory has what was asked for.
   */
  private static final int WANTED_CHUNKS = 160_000;
  private static final int FEWEST_DIRECTORIES = 256;
  private static final int FEWEST_LOOKED_INTO = 32;
  private static final int FEWEST_A_DIRECTORY = 16;
  private static final int GROWTH = 4;
  private static final double SHARE_OF_INDEXES = 0.6;

  private final PlanSite site;
  private final IndexSizes indexes;
  private final OptionalLong markedFrom;
  private final long deadlineNanos;
  private double secondsAReference;

  /**
   * @param deadlineNanos when to be done, by the monotonic clock
   */
  SampledPlan(
      PlanSite site, IndexSizes indexes, Optional<LastCollection> last, long deadlineNanos) {
    this.site = site;
    this.indexes = indexes;
    this.markedFrom = last.map(LastCollection::startSeconds).orElse(OptionalLong.empty());
    this.deadlineNanos = deadlineNanos;
  }

  /**
   * Runs the sample.
   *
   * @param pilot what a small sample has found
   * @param rates how fast that was
   */
  PlanFindings run(StoreSample pilot, Rates rates) {
    int[] order = site.scatteredDirectories();
    double mean = (double) pilot.listed() / Math.max(1, pilot.visited());
    int directories =
        (int) Math.clamp(WANTED_CHUNKS / Math.max(mean, 1e-3), FEWEST_DIRECTORIES, 1 << 16);
    directories = Math.min(directories, order.length);
    Optional<SampledReferences> references = read(order, directories);
    int most = directories > FEWEST_DIRECTORIES ? 1 << 30 : WANTED_CHUNKS / FEWEST_DIRECTORIES;
    int chunks = Math.min(most, affordable(directories, rates));
    Timings timings = new Timings();
    long before = site.nanos();
    StoreSample sample = take(order, directories, chunks, timings, references);
    Rates measured = timings.rates(site.nanos() - before, secondsAReference);
    while (chunks < most && (site.nanos() - before) * GROWTH < deadlineNanos - site.nanos()) {
      before = site.nanos();
      chunks = Math.min(most, chunks * GROWTH);
      StoreSample larger = take(order, directories, chunks, new Timings(), references);
      sample = larger.visited() < sample.visited() ? sample : larger;
    }
    return new PlanFindings(
        references.isPresent() ? Basis.REFERENCES : Basis.ACCESS_TIMES,
        new PlanReport.Looked(sample.visited(), sample.directories(), sample.lookedAt()),
        estimates(sample, references.isPresent()),
        sample.pending(),
        OptionalLong.empty(),
        measured);
  }

  private StoreSample take(
      int[] order,
      int directories,
      int chunks,
      Timings timings,
      Optional<SampledReferences> references) {
    return new PlanSample(
            site.state, site.workers, order, timings, site.cutoff, markedFrom, references)
        .take(directories, chunks, deadlineNanos, FEWEST_LOOKED_INTO);
  }

  private int affordable(int directories, Rates rates) {
    double left = Math.max(0, deadlineNanos - site.nanos()) / 1e9 * rates.threads();
    double each = left / directories - rates.secondsAListing();
    double affordable = each / Math.max(1e-9, rates.secondsByDigest());
    return (int) Math.clamp(affordable, FEWEST_A_DIRECTORY, 1 << 20);
  }

  private Optional<SampledReferences> read(int[] order, int directories) {
    BitSet prefixes = new BitSet();
    for (int i = 0; i < directories; i++) {
      prefixes.set(order[i]);
    }
    ReadingPace pace =
        new ReadingPace(
            site.nanos(),
            Math.round(Math.max(0, deadlineNanos - site.nanos()) * SHARE_OF_INDEXES),
            indexes.references());
    SampledReferences[] reading = new SampledReferences[1];
    reading[0] =
        new SampledReferences(
            prefixes, site.state.stop, () -> pace.isHopeless(site.nanos(), reading[0].read()));
    try {
      site.index.mark(reading[0]);
      reading[0].finish();
      return Optional.of(reading[0]);
    } catch (SampledReferences.GivenUpException e) {
      return Optional.empty();
    } finally {
      secondsAReference = pace.secondsAReference(site.nanos(), reading[0].read());
    }
  }

  private Map<Measure, Estimate> estimates(StoreSample sample, boolean referencesAreKnown) {
    List<Measure> told =
        referencesAreKnown
            ? List.of(Measure.PRESENT, Measure.OLD, Measure.FREED, Measure.PENDING)
            : markedFrom.isPresent()
                ? List.of(Measure.PRESENT, Measure.OLD, Measure.UNMARKED, Measure.UNMARKED_YOUNG)
                : List.of(Measure.PRESENT, Measure.OLD);
    Map<Measure, Estimate> estimates = new EnumMap<>(Measure.class);
    told.forEach(measure -> estimates.put(measure, sample.estimate(measure)));
    return estimates;
  }
}
