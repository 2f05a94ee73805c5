package io.tidemark.collect;

import io.tidemark.report.GcStatus;
import io.tidemark.sweep.SweepCounts;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a run has counted, as the journal keeps it. */
final class Figures {
  static final int MISSING_KEPT = 10_000;

  private static final String TOUCHED = "touched";
  private static final String SKIPPED = "skipped";
  private static final String HITS = "cache-hits";
  private static final String MISSES = "cache-misses";

  private Figures() {}

  /** Returns all figures. */
  static Map<String, Long> all(RunState state, GcStatus.CacheStats cache) {
    return figures(state.countsSoFar(), state.touched.sum(), state.skipped.sum(), cache);
  }

  /** Returns the figures without those that the walk over the directories would count again. */
  static Map<String, Long> withoutWalk(RunState state) {
    SweepCounts counts = state.countsSoFar();
    counts.subtract(state.walkCounts());
    return figures(
        counts,
        state.touched.sum() - state.touchedInWalk.sum(),
        state.skipped.sum(),
        GcStatus.CacheStats.NONE);
  }

  private static Map<String, Long> figures(
      SweepCounts counts, long touched, long skipped, GcStatus.CacheStats cache) {
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put(TOUCHED, touched);
    figures.put(SKIPPED, skipped);
    figures.put(HITS, cache.hits());
    figures.put(MISSES, cache.misses());
    figures.putAll(counts.toMap());
    return figures;
  }

  static void restore(RunState state, Map<String, Long> figures) {
    state.touched.add(figures.getOrDefault(TOUCHED, 0L));
    state.skipped.add(figures.getOrDefault(SKIPPED, 0L));
    state.swept(SweepCounts.of(figures));
  }

  static GcStatus.CacheStats cache(Map<String, Long> figures) {
    return new GcStatus.CacheStats(
        figures.getOrDefault(HITS, 0L), figures.getOrDefault(MISSES, 0L));
  }
}
