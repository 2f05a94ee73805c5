package io.tidemark.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

/** Writes the log lines of one run and keeps its warnings; safe for use by many threads. */
public final class RunLog {
  /*
   * A lost disk can give a million warnings of one kind. The first hundred of each kind are logged
   * and kept, the others only counted; the collector logs the totals at the end.
   */
  public static final int KEPT_OF_A_KIND = 100;

  private final Logger logger;

  private final List<Warning> warnings = new ArrayList<>();
  private final Map<String, Long> counts = new HashMap<>();
  private final AtomicLong lastLine = new AtomicLong(System.nanoTime());

  /** Makes the log of a run. */
  public RunLog() {
    this(LoggerFactory.getLogger("io.tidemark"));
  }

  private RunLog(Logger logger) {
    this.logger = logger;
  }

  /** Makes one that only keeps what it is told, for a run whose result is what is printed. */
  public static RunLog silent() {
    return new RunLog(NOPLogger.NOP_LOGGER);
  }

  public void info(String line) {
    lastLine.set(System.nanoTime());
    logger.info(line);
  }

  /** Logs a warning, unless there were too many of its kind, and counts it. */
  public synchronized void warn(String id, String message, String path) {
    long count = counts.merge(id, 1L, Long::sum);
    if (count <= KEPT_OF_A_KIND) {
      lastLine.set(System.nanoTime());
      logger.warn(message);
      warnings.add(new Warning(id, message, path));
    }
  }

  /** Returns the warnings kept, in the order in which they came. */
  public synchronized List<Warning> warnings() {
    return List.copyOf(warnings);
  }

  /** Returns how often each kind of warning came, kept or not. */
  public synchronized Map<String, Long> warningCounts() {
    return Map.copyOf(counts);
  }

  /** Returns how many nanoseconds ago the last line was written. */
  public long nanosSinceLastLine() {
    return System.nanoTime() - lastLine.get();
  }
}
