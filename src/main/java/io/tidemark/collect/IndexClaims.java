package io.tidemark.collect;

import io.tidemark.journal.MarkedIndex;
import io.tidemark.store.FileIdentity;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Knows of each index file how many of its references have been dealt with, now and earlier. */
final class IndexClaims {
  /*
   * References of a file come in its order, so a number says which they are. They are passed on
   * one by one, and settled together, when a boundary is reached at which all that were passed on
   * have been touched. In the middle of a batch, which is touched by directory, those in the
   * directories before some other are settled.
   */
  private final Map<String, Entry> entries = new HashMap<>();
  private final Set<Entry> unsettled = new LinkedHashSet<>();

  /** One index file. */
  static final class Entry {
    private final String path;
    private final FileIdentity identity;
    private final long earlierDone;
    private final long earlierBegun;
    private final int earlierBelow;
    private final boolean earlierComplete;
    private long image;
    private long digests;
    private long done;
    private long begun;
    private int below;
    private long passed;
    private boolean seen;

    private Entry(MarkedIndex index) {
      path = index.path();
      identity = index.identity();
      image = index.imageBytes();
      digests = index.entries();
      done = index.done();
      begun = index.begun();
      below = index.below();
      earlierDone = done;
      earlierBegun = begun;
      earlierBelow = below;
      earlierComplete = index.isComplete();
    }

    /** Tells whether an interrupted run has dealt with the whole file. */
    boolean wasComplete() {
      return earlierComplete;
    }

    long imageBytes() {
      return image;
    }

    /** Tells whether an interrupted run has dealt with the next reference, of that directory. */
    boolean isNextDone(int prefix) {
      return passed < earlierDone || (passed < earlierBegun && prefix < earlierBelow);
    }

    /** Says that the next reference was passed on, or need not be. */
    void pass() {
      passed++;
    }

    /** Says that the file has no more references. */
    void end(long imageBytes) {
      image = imageBytes;
      digests = passed;
    }

    private MarkedIndex toIndex() {
      return new MarkedIndex(path, identity, image, digests, done, begun, below);
    }
  }

  /** Takes over what an interrupted run has noted. */
  void restore(List<MarkedIndex> indexes) {
    indexes.forEach(index -> entries.put(index.path(), new Entry(index)));
  }

  /** Begins a file; what is known of another one in its place is forgotten. */
  Entry begin(String path, FileIdentity identity) {
    Entry entry = entries.get(path);
    if (entry == null || !entry.identity.equals(identity)) {
      entry = new Entry(new MarkedIndex(path, identity, -1, -1, 0, 0, 0));
      entries.put(path, entry);
    }
    entry.seen = true;
    entry.passed = 0;
    unsettled.add(entry);
    return entry;
  }

  /** Says that all references passed on so far have been touched. */
  void settle() {
    Entry last = null;
    for (Entry entry : unsettled) {
      entry.done = Math.max(entry.done, entry.passed);
      last = entry;
    }
    unsettled.clear();
    if (last != null) {
      unsettled.add(last); // it may be in the middle
    }
  }

  /** Says that those in directories before {@code below} have been. */
  void settleBefore(int below) {
    for (Entry entry : unsettled) {
      if (entry.passed > entry.done) {
        entry.begun = entry.passed;
        entry.below = below;
      }
    }
  }

  /** Returns all that is known, also of files that this run has not come to. */
  List<MarkedIndex> all() {
    return entries.values().stream().map(Entry::toIndex).toList();
  }

  /** Returns what is known of the files that this run has come to. */
  List<MarkedIndex> seen() {
    return entries.values().stream().filter(entry -> entry.seen).map(Entry::toIndex).toList();
  }
}
