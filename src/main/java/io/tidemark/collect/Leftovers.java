package io.tidemark.collect;

import io.tidemark.report.RunLog;
import io.tidemark.store.ChunkStore;
import java.util.Map;

/** Logs, at the end of a run, what was too much to log one by one. */
final class Leftovers {
  private Leftovers() {}

  static void log(RunState state, ChunkStore store) {
    for (Map.Entry<String, Long> count : state.log.warningCounts().entrySet()) {
      if (count.getValue() > RunLog.KEPT_OF_A_KIND) {
        state.log.info(
            "%d warnings of the kind %s, of which %d were logged"
                .formatted(count.getValue(), count.getKey(), RunLog.KEPT_OF_A_KIND));
      }
    }
    String foreign = store.firstForeign();
    if (foreign != null) {
      state.log.info(
          "Left %d entries alone that are no chunks, the first one %s"
              .formatted(state.foreign.sum(), foreign));
    }
    if (state.counts.gone > 0) {
      state.log.info(state.counts.gone + " files were gone before their turn");
    }
  }
}
