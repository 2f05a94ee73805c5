package io.tidemark.benchmarks.simulation;

/**
 * The ways to carry out a collection that can be simulated. Those that end in {@code -before} are
 * those of an earlier engine, which looked at unused chunks only in the sweep; some of what was
 * measured is of that one.
 */
enum Plan {
  STOCK("stock-c", Mark.IMMEDIATE, Sweep.ALL_AS_LISTED),
  IMMEDIATE("immediate", Mark.IMMEDIATE, Sweep.ALL),
  PREFETCH("prefetch", Mark.PREFETCH, Sweep.ALL),
  DEFERRED("deferred", Mark.DEFERRED, Sweep.ALL),
  LIMIT_HANDLE("limit-c-handle", Mark.BY_HANDLE_LOOKING, Sweep.OLD_AS_LISTED),
  LIMIT_HANDLE_BEFORE("limit-c-handle-before", Mark.BY_HANDLE, Sweep.CANDIDATES_AS_LISTED),
  LIMIT_NAME("limit-c-name", Mark.BY_NAME, Sweep.CANDIDATES_AS_LISTED),
  ORDERED_HANDLE("ordered-handle", Mark.BY_HANDLE_LOOKING, Sweep.OLD),
  ORDERED_HANDLE_BEFORE("ordered-handle-before", Mark.BY_HANDLE, Sweep.CANDIDATES),
  ORDERED_NAME("ordered-name", Mark.BY_NAME, Sweep.CANDIDATES),
  ORDERED_GROUPS("ordered-groups", Mark.BY_NAME_IN_GROUPS, Sweep.CANDIDATES),
  ORDERED_DIRECTORY("ordered-directory", Mark.BY_DIRECTORY, Sweep.CANDIDATES);

  /** The order of touches. */
  enum Mark {
    IMMEDIATE,
    PREFETCH,
    DEFERRED,
    BY_HANDLE,
    BY_HANDLE_LOOKING,
    BY_NAME,
    BY_NAME_IN_GROUPS,
    BY_DIRECTORY
  }

  /** What the sweep looks at; as the C programs do, in the order of names and without a rename. */
  enum Sweep {
    ALL,
    ALL_AS_LISTED,
    CANDIDATES,
    CANDIDATES_AS_LISTED,
    OLD,
    OLD_AS_LISTED
  }

  final String label;
  final Mark mark;
  final Sweep sweep;

  Plan(String label, Mark mark, Sweep sweep) {
    this.label = label;
    this.mark = mark;
    this.sweep = sweep;
  }

  static Plan of(String label) {
    for (Plan plan : values()) {
      if (plan.label.equals(label)) {
        return plan;
      }
    }
    throw new IllegalArgumentException("no strategy " + label);
  }

  /**
   * Tells whether a file system has what the plan needs. Handles of XFS and ZFS take a look-up of
   * the inode's generation first, so the engine uses names there.
   */
  boolean isFor(FileSystem.Kind kind) {
    boolean byHandle = mark == Mark.BY_HANDLE || mark == Mark.BY_HANDLE_LOOKING;
    return !byHandle || kind == FileSystem.Kind.EXT4 || kind == FileSystem.Kind.BTRFS;
  }

  boolean hasBatches() {
    return mark == Mark.DEFERRED;
  }
}
