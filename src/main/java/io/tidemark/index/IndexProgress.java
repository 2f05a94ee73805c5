package io.tidemark.index;

import java.util.concurrent.atomic.AtomicLong;

/** How far the reading of index files is; one thread counts, any thread may look. */
public final class IndexProgress {
  private final AtomicLong filesDone = new AtomicLong();
  private final AtomicLong filesTotal = new AtomicLong();
  private final AtomicLong references = new AtomicLong();

  IndexProgress() {}

  /** Returns how many index files have been read, each counted once. */
  public long filesDone() {
    return filesDone.get();
  }

  /** Returns how many index files are known so far, some of which may have vanished. */
  public long filesTotal() {
    return filesTotal.get();
  }

  /** Returns how many digests have been read. */
  public long references() {
    return references.get();
  }

  void discovered(int files) {
    filesTotal.set(files);
  }

  void addTotal() {
    filesTotal.incrementAndGet();
  }

  void addDone() {
    filesDone.incrementAndGet();
  }

  void addReferences(long digests) {
    references.addAndGet(digests);
  }
}
