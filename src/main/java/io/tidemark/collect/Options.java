package io.tidemark.collect;

import io.tidemark.batch.SpillDirectory;
import io.tidemark.guard.Tripwires;
import io.tidemark.store.LockMode;
import io.tidemark.store.PbsHost;
import io.tidemark.warm.AheadDistance;
import io.tidemark.warm.Rewarm;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a collection is to do and how; {@link #builder} has the defaults.
 *
 * @param store the datastore's directory
 * @param action whether chunks are removed or only counted
 * @param strategy how the mark is carried out
 * @param batchSize the most references collected before their chunks are touched, 1 to 2^27
 * @param cacheCapacity the most digests in the cache of recent ones; empty: as the server is
 *     configured, else 2^20; 0: no cache
 * @param graceMinutes how long an unused chunk is kept, 1 to 2880; empty: as the server is
 *     configured, else 1445
 * @param atimeCheck whether to check first that access times work
 * @param emptyIndexSet what to do when chunks exist and no index file does
 * @param lockMode whether backups may go on during the run
 * @param patience how long to wait for running backups
 * @param rewarm when a directory that was read before is read again
 * @param workers the number of threads that touch, list and remove; 0: as many as pay
 * @param memory the bytes that sorting may take; 0: a share of the heap
 * @param spillDirectory where what exceeds the memory goes
 * @param window how many chunks the ordered strategy touches in one go
 * @param touchIfOlder touch only chunks whose access time does not outlive the cutoff by this; for
 *     the ordered strategy; empty: touch all
 * @param warmAhead how many directories to read ahead of their use; empty: as many as pay
 * @param continuation whether the run notes how far it has come, and when it stops
 * @param tripwires when a run is refused before it removes anything
 * @param removalLog the file that each removal is written to before it happens; empty: none
 * @param host where the server on this host keeps its files
 */
public record Options(
    String store,
    Action action,
    Strategy strategy,
    int batchSize,
    OptionalInt cacheCapacity,
    OptionalInt graceMinutes,
    Optional<AtimeCheckMode> atimeCheck,
    EmptyIndexSet emptyIndexSet,
    LockMode lockMode,
    Duration patience,
    Rewarm rewarm,
    int workers,
    long memory,
    String spillDirectory,
    Window window,
    Optional<Duration> touchIfOlder,
    OptionalInt warmAhead,
    Continuation continuation,
    Tripwires tripwires,
    Optional<String> removalLog,
    PbsHost host) {
  public static final int DEFAULT_BATCH_SIZE = 1 << 20;
  public static final int MAXIMUM_BATCH_SIZE = 1 << 27;
  public static final int DEFAULT_CACHE_CAPACITY = 1 << 20;
  public static final int MAXIMUM_CACHE_CAPACITY = 1 << 23;
  public static final int DEFAULT_GRACE_MINUTES = 1445;
  public static final int MAXIMUM_GRACE_MINUTES = 2880;
  public static final int MAXIMUM_WORKERS = 256;
  public static final int MAXIMUM_WARM_AHEAD = 65536;
  public static final long LEAST_MEMORY = 1 << 20;

  /** Says whether chunks are removed. */
  public enum Action {
    COLLECT,
    /** Counts what a collection would remove, and writes nothing to the store. */
    DRY_RUN,
    /**
     * Removes without a touch what no index file requires, which needs no free space; locks the
     * store exclusively.
     */
    EMERGENCY
  }

  /** Says whether access times are checked before the first touch. */
  public enum AtimeCheckMode {
    RUN,
    SKIP
  }

  /** Says what happens when chunks exist and no index file does. */
  public enum EmptyIndexSet {
    REFUSE,
    ALLOW
  }

  public Options {
    lockMode = action == Action.EMERGENCY ? LockMode.EXCLUSIVE : lockMode;
    require(batchSize, 1, MAXIMUM_BATCH_SIZE, "batch size");
    require(cacheCapacity.orElse(0), 0, MAXIMUM_CACHE_CAPACITY, "cache capacity");
    require(graceMinutes.orElse(1), 1, MAXIMUM_GRACE_MINUTES, "access time cutoff in minutes");
    require(warmAhead.orElse(0), 0, MAXIMUM_WARM_AHEAD, "number of directories read ahead");
    require(workers, 0, MAXIMUM_WORKERS, "number of workers");
    if (memory != 0 && memory < LEAST_MEMORY) {
      throw new IllegalArgumentException(
          "the memory is " + memory + " bytes; it must be at least " + LEAST_MEMORY);
    }
    if (touchIfOlder.isPresent() && strategy != Strategy.ORDERED && strategy != Strategy.AUTO) {
      throw new IllegalArgumentException(
          "skipping touches needs the strategy ordered, since the others sweep by access time");
    }
    if (touchIfOlder.isPresent() && touchIfOlder.get().isNegative()) {
      throw new IllegalArgumentException("the margin of skipped touches is negative");
    }
    if (!store.startsWith("/")) {
      throw new IllegalArgumentException("the store must be an absolute path, not " + store);
    }
  }

  /** Makes what says how far to read ahead in one run. */
  AheadDistance aheadDistance() {
    return warmAhead.isPresent()
        ? AheadDistance.fixed(warmAhead.getAsInt())
        : AheadDistance.following();
  }

  private static void require(int value, int least, int most, String what) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "the " + what + " is " + value + "; it must be " + least + " to " + most);
    }
  }

  /**
   * Starts with the defaults.
   *
   * @param store the datastore's directory, an absolute path
   */
  public static Builder builder(String store) {
    return new Builder(store);
  }

  /** Puts options together. */
  public static final class Builder {
    private final String store;
    private Action action = Action.COLLECT;
    private Strategy strategy = Strategy.DEFERRED;
    private int batchSize = DEFAULT_BATCH_SIZE;
    private OptionalInt cacheCapacity = OptionalInt.empty();
    private OptionalInt graceMinutes = OptionalInt.empty();
    private Optional<AtimeCheckMode> atimeCheck = Optional.empty();
    private EmptyIndexSet emptyIndexSet = EmptyIndexSet.REFUSE;
    private LockMode lockMode = LockMode.SHARED;
    private Duration patience = Duration.ZERO;
    private Rewarm rewarm = Rewarm.AUTO;
    private int workers = 0;
    private long memory = 0;
    private String spillDirectory = SpillDirectory.standardPath();
    private Window window = Window.AUTO;
    private Optional<Duration> touchIfOlder = Optional.empty();
    private OptionalInt warmAhead = OptionalInt.empty();
    private Continuation continuation = Continuation.NONE;
    private Tripwires tripwires = Tripwires.STANDARD;
    private Optional<String> removalLog = Optional.empty();
    private PbsHost host = PbsHost.DEFAULT;

    private Builder(String store) {
      this.store = store;
    }

    public Builder action(Action action) {
      this.action = action;
      return this;
    }

    public Builder strategy(Strategy strategy) {
      this.strategy = strategy;
      return this;
    }

    public Builder batchSize(int batchSize) {
      this.batchSize = batchSize;
      return this;
    }

    public Builder cacheCapacity(int cacheCapacity) {
      this.cacheCapacity = OptionalInt.of(cacheCapacity);
      return this;
    }

    public Builder graceMinutes(int graceMinutes) {
      this.graceMinutes = OptionalInt.of(graceMinutes);
      return this;
    }

    public Builder atimeCheck(AtimeCheckMode atimeCheck) {
      this.atimeCheck = Optional.of(atimeCheck);
      return this;
    }

    public Builder emptyIndexSet(EmptyIndexSet emptyIndexSet) {
      this.emptyIndexSet = emptyIndexSet;
      return this;
    }

    public Builder lockMode(LockMode lockMode) {
      this.lockMode = lockMode;
      return this;
    }

    public Builder patience(Duration patience) {
      this.patience = patience;
      return this;
    }

    public Builder rewarm(Rewarm rewarm) {
      this.rewarm = rewarm;
      return this;
    }

    public Builder workers(int workers) {
      this.workers = workers;
      return this;
    }

    public Builder memory(long memory) {
      this.memory = memory;
      return this;
    }

    public Builder spillDirectory(String spillDirectory) {
      this.spillDirectory = spillDirectory;
      return this;
    }

    public Builder window(Window window) {
      this.window = window;
      return this;
    }

    public Builder touchIfOlder(Duration touchIfOlder) {
      this.touchIfOlder = Optional.of(touchIfOlder);
      return this;
    }

    public Builder warmAhead(int directories) {
      this.warmAhead = OptionalInt.of(directories);
      return this;
    }

    public Builder continuation(Continuation continuation) {
      this.continuation = continuation;
      return this;
    }

    public Builder tripwires(Tripwires tripwires) {
      this.tripwires = tripwires;
      return this;
    }

    public Builder removalLog(String file) {
      this.removalLog = Optional.of(file);
      return this;
    }

    public Builder host(PbsHost host) {
      this.host = host;
      return this;
    }

    /** Returns the options. */
    public Options build() {
      return new Options(
          store,
          action,
          strategy,
          batchSize,
          cacheCapacity,
          graceMinutes,
          atimeCheck,
          emptyIndexSet,
          lockMode,
          patience,
          rewarm,
          workers,
          memory,
          spillDirectory,
          window,
          touchIfOlder,
          warmAhead,
          continuation,
          tripwires,
          removalLog,
          host);
    }
  }
}
