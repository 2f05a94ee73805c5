package io.tidemark.posix;

/** What the calling thread has used so far, from {@code getrusage(RUSAGE_THREAD)}. */
public final class ThreadUsage {
  long voluntarySwitches;
  long blocksIn;

  /** Returns how often the thread gave up the processor to wait, mostly for a device. */
  public long voluntarySwitches() {
    return voluntarySwitches;
  }

  /** Returns the reads from devices in 512-byte blocks, where the file system accounts them. */
  public long blocksIn() {
    return blocksIn;
  }
}
