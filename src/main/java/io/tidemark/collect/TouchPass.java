package io.tidemark.collect;

import io.tidemark.batch.ExternalSort;
import io.tidemark.batch.RowStream;
import io.tidemark.batch.Rows;
import io.tidemark.flush.Toucher;
import io.tidemark.journal.TouchClaim;
import io.tidemark.posix.Errno;
import io.tidemark.report.Point;
import io.tidemark.store.ChunkHandles;
import io.tidemark.store.EntryKind;
import io.tidemark.store.XfsGenerations;
import io.tidemark.sweep.Cutoff;
import io.tidemark.sweep.SweepCounts;
import io.tidemark.work.Workers;
import java.util.Optional;
import java.util.function.Supplier;

/** Touches the chunks of a window in the order of their inode numbers. */
final class TouchPass implements AutoCloseable {
  /*
   * The rows of a window (inode, digest; the tag is the index file) are sorted, by way of the disk
   * when they exceed the memory, and cut into slices of neighbours, which the workers take one
   * after the other. Each chunk is opened by handle where that works; where it does not, or for
   * one whose inode is gone, it is reached by name. Beside each touch, one statx of the inode that
   * is in memory now gives the size for the statistics.
   */
  /** As the access time from which on a touch is skipped: none is. */
  static final long NEVER = Long.MAX_VALUE;

  private static final int SLICE = 512;
  private static final int ROWS_AT_HAND = 1 << 17;

  private final RunState state;
  private final Workers<Hand> workers;
  private final Toucher toucher;
  private final Optional<ChunkHandles> handles;
  private final Supplier<ExternalSort> sorts;
  private final long skipFromSeconds;
  private final WriteBack writeBack;
  private final Cutoff cutoff;
  private final CandidateSweep candidates;
  private final Recorder recorder;
  private final Rows old = new Rows(5, Rows.maximumCapacity(5));
  private final Rows atHand = new Rows(5, ROWS_AT_HAND);
  private ExternalSort window;
  private long inWindow;
  private int first;
  private volatile boolean handlesWork = true;

  TouchPass(
      RunState state,
      Workers<Hand> workers,
      Toucher toucher,
      Optional<ChunkHandles> handles,
      Supplier<ExternalSort> sorts,
      long skipFromSeconds,
      WriteBack writeBack,
      Cutoff cutoff,
      CandidateSweep candidates,
      Recorder recorder) {
    this.state = state;
    this.workers = workers;
    this.toucher = toucher;
    this.handles = handles;
    this.sorts = sorts;
    this.skipFromSeconds = skipFromSeconds;
    this.writeBack = writeBack;
    this.cutoff = cutoff;
    this.candidates = candidates;
    this.recorder = recorder;
    this.window = sorts.get();
  }

  /** Tells by the tag of a joined row whether the entry is a chunk to be touched. */
  static boolean isTouch(int tag) {
    return JoinTag.isUsed(tag) && JoinTag.kind(tag) == EntryKind.CHUNK;
  }

  /** Tells whether the pass takes a joined row: to touch it, or by handle to look at it. */
  boolean takes(Rows joined, int row, int prefix) {
    int tag = joined.tag(row);
    return isTouch(tag)
        || (handles.isPresent()
            && JoinTag.kind(tag) == EntryKind.CHUNK
            && joined.word(row, 1) >>> 48 == prefix); // a misplaced one is not found by its digest
  }

  /** Adds the chunks of a round to the window, with tags as in {@link JoinTag}. */
  void add(Rows rows) {
    window.addAll(rows);
    inWindow += rows.size();
  }

  /**
   * Touches the window when it has {@code chunks} or more, and starts a new one.
   *
   * @param end the number of the first directory that is not in it
   */
  void flushWhenOver(int chunks, int end) {
    if (inWindow >= chunks) {
      flush(end);
      window = sorts.get();
    }
  }

  /** Touches what is left. */
  void finish() {
    flush(FullSweep.DIRECTORIES);
    writeBack.finish();
  }

  private void flush(int end) {
    state.points.reach(Point.BEFORE_TOUCH_PASS);
    RowStream stream = window.finish();
    writeBack.start();
    boolean more = stream.next();
    while (more) {
      int most = writeBack.room(recorder.step());
      atHand.clear();
      while (more && atHand.size() < most) {
        atHand.add(
            stream.word(0),
            stream.word(1),
            stream.word(2),
            stream.word(3),
            stream.word(4),
            stream.tag());
        more = stream.next();
      }
      int slices = (atHand.size() + SLICE - 1) / SLICE;
      int done = workers.runSome("touch", slices, this::touchSlice);
      if (done < slices) {
        recorder.touched(new TouchClaim(first, end, atHand.word(done * SLICE, 0)));
      } else if (more) {
        recorder.touched(new TouchClaim(first, end, stream.word(0)));
      }
      writeBack.note(atHand.size());
      candidates.add(old);
      old.clear();
    }
    window.close();
    inWindow = 0;
    first = end;
    state.flushes++;
    state.points.reach(Point.AFTER_TOUCH_PASS);
    recorder.touched(new TouchClaim(end, end, 0));
  }

  private void touchSlice(Hand hand, int slice) {
    SweepCounts counts = new SweepCounts();
    SweepCounts young = new SweepCounts();
    int from = slice * SLICE;
    int to = Math.min(from + SLICE, atHand.size());
    for (int row = from; row < to; row++) {
      state.stop.check();
      boolean byHandle = handles.isPresent() && handlesWork;
      if (JoinTag.isUsed(atHand.tag(row))) {
        if (!byHandle || !touchByHandle(hand, handles.get(), row, counts)) {
          touchByName(hand, row, counts);
        }
      } else if (!byHandle || !judgeByHandle(hand, handles.get(), row, young)) {
        leaveToSweep(row);
      }
    }
    state.swept(counts);
    if (!recorder.isSweepBegun()) { // else they were counted in the run that this one continues
      state.countedInWalk(young);
    }
  }

  /** Returns false when the inode is gone or is no chunk. */
  private boolean touchByHandle(Hand hand, ChunkHandles open, int row, SweepCounts counts) {
    int fd = open(hand, open, row);
    if (fd < 0) {
      return false;
    }
    try {
      if (!isYoungEnough(hand)) {
        int result = hand.directory.touchDescriptor(fd);
        if (result < 0) {
          giveUpOrFail(hand, row, result);
          return false;
        }
        state.touched.increment();
      }
      counts.inUse(hand.directory.status().size());
      return true;
    } finally {
      hand.calls().close(fd);
    }
  }

  /** Returns false unless the chunk is certain to stay. */
  private boolean judgeByHandle(Hand hand, ChunkHandles open, int row, SweepCounts counts) {
    int fd = open(hand, open, row);
    if (fd < 0) {
      return false;
    }
    hand.calls().close(fd);
    return counts.tooYoung(cutoff, hand.directory.status());
  }

  /* Opens the inode and reads its status; negative when it is gone or is no file. */
  private int open(Hand hand, ChunkHandles open, int row) {
    long inode = atHand.word(row, 0);
    int generation = 0;
    if (open.needsGenerations()) {
      XfsGenerations generations = hand.generations(open);
      if (generations.find(inode) != 0) {
        return -1;
      }
      generation = generations.generation();
    }
    int fd = open.open(hand.calls(), hand.handle, inode, generation);
    if (fd >= 0
        && (hand.directory.statDescriptor(fd) < 0 || !hand.directory.status().isRegular())) {
      hand.calls().close(fd);
      return -1;
    }
    return fd;
  }

  private void leaveToSweep(int row) {
    synchronized (old) {
      CandidateSweep.put(
          old,
          (int) (atHand.word(row, 1) >>> 48),
          atHand.word(row, 0),
          atHand.word(row, 1),
          atHand.word(row, 2),
          atHand.word(row, 3),
          atHand.word(row, 4),
          JoinTag.kind(atHand.tag(row)));
    }
  }

  /* A chunk whose access time outlives the cutoff by a margin may do without the write. */
  private boolean isYoungEnough(Hand hand) {
    boolean young = hand.directory.status().atimeSeconds() >= skipFromSeconds;
    if (young) {
      state.skipped.increment();
    }
    return young;
  }

  /*
   * Kernels before 5.8 do not touch what is behind an O_PATH descriptor, and an inode may be gone
   * by now: then the chunk is reached by name. Any other error is one.
   */
  private void giveUpOrFail(Hand hand, int row, int result) {
    switch (-result) {
      case Errno.EINVAL, Errno.EBADF -> giveUpHandles(result);
      case Errno.ENOENT -> {}
      default -> {
        long w0 = atHand.word(row, 1);
        hand.directory.open((int) (w0 >>> 48));
        throw toucher.failure(
            hand.directory,
            w0,
            atHand.word(row, 2),
            atHand.word(row, 3),
            atHand.word(row, 4),
            JoinTag.owner(atHand.tag(row)),
            result);
      }
    }
  }

  private synchronized void giveUpHandles(int result) {
    if (handlesWork) {
      state.log.info(
          "Touching by file handle does not work here (" + Errno.name(-result) + "): by name");
      handlesWork = false;
    }
  }

  private void touchByName(Hand hand, int row, SweepCounts counts) {
    long w0 = atHand.word(row, 1);
    long w1 = atHand.word(row, 2);
    long w2 = atHand.word(row, 3);
    long w3 = atHand.word(row, 4);
    byte[] path = hand.path.of(w0, w1, w2, w3);
    if (skipFromSeconds != NEVER
        && hand.directory.statByPath(path) == 0
        && hand.directory.status().isRegular()
        && isYoungEnough(hand)) {
      counts.inUse(hand.directory.status().size());
      return;
    }
    int result = hand.directory.touchByPath(path);
    if (result == 0) {
      state.touched.increment();
    } else {
      hand.directory.open((int) (w0 >>> 48));
      if (!toucher.touch(hand.directory, w0, w1, w2, w3, JoinTag.owner(atHand.tag(row)), result)) {
        return;
      }
    }
    count(hand.directory.statByPath(path), hand, counts);
  }

  /** Touches the marked chunks of the open directory: the joined rows of {@code hand}. */
  void touchOpenDirectory(Hand hand) {
    SweepCounts counts = new SweepCounts();
    Rows rows = hand.joined;
    for (int row = 0; row < rows.size(); row++) {
      int tag = rows.tag(row);
      if (isTouch(tag)) {
        state.stop.check();
        long w0 = rows.word(row, 1);
        long w1 = rows.word(row, 2);
        long w2 = rows.word(row, 3);
        long w3 = rows.word(row, 4);
        if (skipFromSeconds != NEVER
            && hand.directory.stat(w0, w1, w2, w3, EntryKind.CHUNK) == 0
            && isYoungEnough(hand)) {
          counts.inUse(hand.directory.status().size());
        } else if (toucher.touch(hand.directory, w0, w1, w2, w3, JoinTag.owner(tag))) {
          count(hand.directory.stat(w0, w1, w2, w3, EntryKind.CHUNK), hand, counts);
        }
      }
    }
    state.swept(counts);
  }

  private static void count(int result, Hand hand, SweepCounts counts) {
    if (result == 0 && hand.directory.status().isRegular()) {
      counts.inUse(hand.directory.status().size());
    } else if (result == -Errno.ENOENT) {
      counts.gone++;
    }
  }

  @Override
  public void close() {
    window.close();
  }
}
