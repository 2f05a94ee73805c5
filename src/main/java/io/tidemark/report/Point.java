package io.tidemark.report;

/** A boundary between two steps of a run, in the order in which a run comes to them first. */
public enum Point {
  /** The datastore is locked and it is known who writes to it. */
  LOCKED,
  /** The tree walk has found the index files, and none has been read. */
  DISCOVERED,
  /** Access times work, or are not checked. */
  CHECKED,
  /** The moment that decides what may go is fixed. */
  CUTOFF_FIXED,
  /** All chunk directories have been read ahead. */
  PREFETCHED,
  /** The snapshots of a group are known, and none has been read. */
  GROUP_LISTED,
  /** An index file is going to be opened. */
  BEFORE_INDEX,
  /** An index file is open. */
  INDEX_OPENED,
  /** A batch of references is full, or the last one is complete, and is going to be touched. */
  BEFORE_FLUSH,
  /** The chunks of a batch, or of a window, have been touched. */
  AFTER_FLUSH,
  /** Sorted rows that did not fit in memory have been written out. */
  RUN_SPILLED,
  /** The references of an index file have been taken. */
  INDEX_READ,
  /** Index files outside of groups are going to be read. */
  BEFORE_LEFT_OVER,
  /** The journal of moved index files is going to be read. */
  BEFORE_JOURNAL,
  /** All references have been taken. */
  INDEXES_READ,
  /** Some directories are going to be listed and joined with the references. */
  BEFORE_ROUND,
  /** A directory has been listed, by the walk or by a sweep of all directories. */
  DIRECTORY_LISTED,
  /** The directories of a round have been joined. */
  AFTER_ROUND,
  /** The chunks of a window are going to be touched. */
  BEFORE_TOUCH_PASS,
  /** They have been. */
  AFTER_TOUCH_PASS,
  /** Every required chunk has been touched. */
  MARKED,
  /** The sweep begins. */
  BEFORE_SWEEP,
  /** A chunk looked old, and is going to be set aside, or looked at again. */
  BEFORE_REMOVAL,
  /** A chunk has its private name. */
  SET_ASIDE,
  /** A chunk was looked at for the last time, and is going to be unlinked. */
  BEFORE_UNLINK,
  /** A chunk is gone. */
  UNLINKED,
  /** A chunk was in use after all, and is going to get its name back. */
  BEFORE_PUT_BACK,
  /** All that may go is gone. */
  SWEPT,
  /** What was done is going to be made durable, to be noted in the journal. */
  BEFORE_CHECKPOINT,
  /** It is durable, and not noted yet. */
  CHECKPOINT_DURABLE,
  /** It is noted in the journal. */
  CHECKPOINT_NOTED,
  /** The result is going to be left in the store. */
  BEFORE_STATUS,
  /** The journal of the finished run is gone, and its mark on the store is not. */
  JOURNAL_DISCARDED,
  /** The run has done everything but to release its locks. */
  FINISHED
}
