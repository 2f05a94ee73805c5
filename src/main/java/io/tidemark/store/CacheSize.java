package io.tidemark.store;

/** Estimates how many bytes of metadata can be kept in memory for this process. */
@FunctionalInterface
public interface CacheSize {
  /** The machine, with the control groups that this process is in now. */
  CacheSize SYSTEM = SystemCacheSize::bytes;

  /** Returns the estimate for a file system of {@code type}, as {@code fstatfs} gives it. */
  long bytes(long type);
}
