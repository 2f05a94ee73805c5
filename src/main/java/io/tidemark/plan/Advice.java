package io.tidemark.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An option of {@code tidemark gc} to set, and why.
 *
 * @param flag as on the command line
 * @param reason in one line
 */
public record Advice(String flag, String reason) {
  private static final double SHORT_SECONDS = 600;
  private static final double LONG_SECONDS = 6 * 3600;
  private static final int LATER_PERCENT = 50;
  private static final int FIRST_PERCENT = 90;
  private static final int FEWEST_CHUNKS = 100;

  /**
   * What the advice rests on besides the forecast.
   *
   * @param freed the chunks that a collection now removes, or may remove
   * @param collectedBefore whether the store has a {@code .gc-status}
   * @param writerActive whether somebody seems to write to the store
   * @param network whether the chunks are on a network file system
   */
  public record Situation(
      Estimate freed, boolean collectedBefore, boolean writerActive, boolean network) {}

  /** Returns what to set; what is not named may stay as it is. */
  public static List<Advice> of(List<Forecast> forecasts, Situation situation) {
    List<Advice> advice = new ArrayList<>();
    Forecast ordered = forecast(forecasts, "ordered");
    Forecast deferred = forecast(forecasts, "deferred");
    if (deferred.seconds().high() < SHORT_SECONDS) {
      advice.add(
          new Advice(
              "--strategy ordered",
              "the least reads and writes; with the default it is short as well"));
    } else {
      advice.add(
          new Advice(
              "--strategy ordered",
              "at most %s, where deferred may take %s"
                  .formatted(
                      Lengths.format(ordered.seconds().high()),
                      Lengths.format(deferred.seconds().high()))));
    }
    if (ordered.seconds().high() > LONG_SECONDS) {
      advice.add(
          new Advice(
              "--resume --max-duration 6h",
              "it may take longer than a night; the next night goes on where this one ends"));
    }
    if (situation.writerActive()) {
      advice.add(new Advice("--wait 2h", "somebody is writing to the store at this moment"));
    }
    if (situation.network()) {
      advice.add(new Advice("--workers 16", "a network file system answers many at once"));
    }
    removal(situation).ifPresent(advice::add);
    return List.copyOf(advice);
  }

  private static Optional<Advice> removal(Situation situation) {
    int limit = situation.collectedBefore() ? LATER_PERCENT : FIRST_PERCENT;
    double percent = 100 * situation.freed().share().high();
    if (percent <= limit || situation.freed().chunks().high() < FEWEST_CHUNKS) {
      return Optional.empty();
    }
    return Optional.of(
        new Advice(
            "--max-removal " + (int) Math.min(100, Math.ceil(percent)),
            String.format(
                Locale.ROOT,
                "up to %.1f %% of the chunks may go, and at most %d %% may without it; be sure why",
                percent,
                limit)));
  }

  private static Forecast forecast(List<Forecast> forecasts, String strategy) {
    return forecasts.stream()
        .filter(forecast -> forecast.strategy().equals(strategy))
        .findFirst()
        .orElseThrow();
  }
}
