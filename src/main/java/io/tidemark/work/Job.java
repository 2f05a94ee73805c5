package io.tidemark.work;

/** Work that is divided into numbered units, which any worker may take. */
@FunctionalInterface
public interface Job<H> {
  /**
   * @param hand what belongs to the worker's thread
   * @param unit the unit to do, from 0
   */
  void run(H hand, int unit);
}
