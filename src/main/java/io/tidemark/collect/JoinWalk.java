package io.tidemark.collect;

import io.tidemark.batch.DirectoryRun;
import io.tidemark.batch.DirectoryRuns;
import io.tidemark.batch.RowStream;
import io.tidemark.batch.Rows;
import io.tidemark.report.Point;
import io.tidemark.report.StoppedException;
import io.tidemark.store.EntryKind;
import io.tidemark.work.Workers;
import java.util.Arrays;

/** Lists each chunk directory once and joins its entries with the ascending stream of marks. */
final class JoinWalk {
  /*
   * Marks ascend by digest, so those of a directory come together. The marks of some hundred
   * directories at a time are cut from the stream; the workers then take a directory each: list
   * it, sort the entries by digest, and go through both lists side by side. What comes out are the
   * entries in the order of their inodes, each with the word whether something requires it, and
   * the marks that no entry answers.
   */
  private static final int DIRECTORIES_A_ROUND = 512;
  static final int MARKS_A_ROUND = 1 << 18;
  private static final int NO_RUN = -1;

  /** Takes what the walk finds, directory by directory, in the worker that has it open. */
  interface Visitor {
    /**
     * Takes a mark without an entry; called before {@link #directory}.
     *
     * @return whether the chunk exists all the same
     */
    boolean unlisted(Hand hand, long w0, long w1, long w2, long w3, int owner);

    /** Takes the entries: the rows of {@code hand.joined}, with tags as in {@link JoinTag}. */
    void directory(Hand hand);

    /** Is told, in the thread of the run, which directories come next. */
    default void startRound(int first, int directories) {}

    /** Is told, in the worker, that it is going to open a directory of the round. */
    default void reach(Hand hand, int unit) {}

    /** Is told, in the thread of the run, that all directories before {@code end} are taken. */
    default void endRound(int end) {}

    /** Tells whether a marked entry of the open directory needs nothing more. */
    default boolean isDone(Hand hand, long inode, int owner) {
      return false;
    }

    /** Returns the first directory whose entries matter even when nothing new marks them. */
    default int firstUnswept() {
      return 0;
    }
  }

  private final RunState state;
  private final Workers<Hand> workers;
  private final Visitor visitor;
  private final int marksARound;
  private final Rows marks = new Rows(4, Rows.maximumCapacity(4));
  private final int[] runOf = new int[DIRECTORIES_A_ROUND];

  /**
   * Makes a walk.
   *
   * @param marksARound a round ends with the directory that brings it to so many marks
   */
  JoinWalk(RunState state, Workers<Hand> workers, int marksARound, Visitor visitor) {
    this.marksARound = marksARound;
    this.state = state;
    this.workers = workers;
    this.visitor = visitor;
  }

  void run(RowStream stream) {
    boolean more = stream.next();
    for (int first = 0; first < state.chunkDirectories; ) {
      marks.clear();
      int end = first;
      while (end < state.chunkDirectories
          && end - first < DIRECTORIES_A_ROUND
          && marks.size() < marksARound) {
        while (more && stream.word(0) >>> 48 == end) {
          if (end >= visitor.firstUnswept() || OwnerTag.isFresh(stream.tag())) {
            marks.add(stream.word(0), stream.word(1), stream.word(2), stream.word(3), stream.tag());
          }
          more = stream.next();
        }
        end++;
      }
      state.points.reach(Point.BEFORE_ROUND);
      int done = first + round(first, end);
      state.points.reach(Point.AFTER_ROUND);
      visitor.endRound(done);
      if (done < end) {
        throw new StoppedException();
      }
      first = end;
    }
  }

  private int round(int first, int end) {
    visitor.startRound(first, end - first);
    DirectoryRuns runs = new DirectoryRuns(marks);
    Arrays.fill(runOf, NO_RUN);
    for (int i = 0; i < runs.size(); i++) {
      runOf[runs.get(i).prefix() - first] = i;
    }
    return workers.runSome(
        "walk",
        end - first,
        (hand, unit) -> {
          visitor.reach(hand, unit);
          int run = runOf[unit];
          directory(
              hand, first + unit, run == NO_RUN ? new DirectoryRun(marks, 0, 0) : runs.get(run));
        });
  }

  private void directory(Hand hand, int prefix, DirectoryRun run) {
    state.stop.check();
    if (prefix < visitor.firstUnswept() && run.size() == 0) {
      state.directories.incrementAndGet();
      return;
    }
    hand.joined.clear();
    if (hand.directory.open(prefix)) {
      hand.listByDigest();
      state.points.reach(Point.DIRECTORY_LISTED);
      if (state.options.action() == Options.Action.COLLECT) {
        hand.requireAsideRestored(0);
      }
      join(hand, run);
      hand.joined.sort();
      visitor.directory(hand);
      state.chunks.add(hand.entries.size());
      state.listed.set(prefix, hand.entries.size());
    } else {
      state.listed.set(prefix, 0);
      for (int mark = run.from(); mark < run.to(); mark++) {
        unlisted(hand, run.rows(), mark);
      }
    }
    state.directories.incrementAndGet();
  }

  private void join(Hand hand, DirectoryRun run) {
    Rows entries = hand.entries;
    int mark = run.from();
    for (int from = 0; from < entries.size(); ) {
      int to = from + 1;
      while (to < entries.size() && compare(entries, to, entries, from) == 0) {
        to++;
      }
      while (mark < run.to() && compare(run.rows(), mark, entries, from) < 0) {
        unlisted(hand, run.rows(), mark++);
      }
      if (mark < run.to() && compare(run.rows(), mark, entries, from) == 0) {
        marked(hand, from, to, run.rows(), mark++);
      } else {
        for (int row = from; row < to; row++) {
          put(hand, row, JoinTag.unused(entries.tag(row)));
        }
      }
      from = to;
    }
    while (mark < run.to()) {
      unlisted(hand, run.rows(), mark++);
    }
  }

  /*
   * Of the files of one marked digest the chunk is in use or, when there is none, its bad copies. A
   * run that touches nothing leaves a chunk aside. A collection has given it its name back; when
   * that failed, the chunk counts as unlisted, whose touch tries it again and ends the run when it
   * fails.
   */
  private void marked(Hand hand, int from, int to, Rows marks, int mark) {
    Rows entries = hand.entries;
    int chunk = find(entries, from, to, EntryKind.CHUNK);
    if (chunk < 0 && state.options.action() != Options.Action.COLLECT) {
      chunk = find(entries, from, to, EntryKind.ASIDE);
    }
    int owner = marks.tag(mark);
    boolean exists = chunk >= 0 || unlisted(hand, marks, mark);
    for (int row = from; row < to; row++) {
      int kind = entries.tag(row);
      if (row == chunk && visitor.isDone(hand, entries.word(row, 4), owner)) {
        continue;
      }
      boolean used = row == chunk || (!exists && EntryKind.isBad(kind));
      put(hand, row, used ? JoinTag.used(kind, owner) : JoinTag.unused(kind));
    }
  }

  private static int find(Rows entries, int from, int to, int kind) {
    for (int row = from; row < to; row++) {
      if (entries.tag(row) == kind) {
        return row;
      }
    }
    return -1;
  }

  private boolean unlisted(Hand hand, Rows marks, int mark) {
    return visitor.unlisted(
        hand,
        marks.word(mark, 0),
        marks.word(mark, 1),
        marks.word(mark, 2),
        marks.word(mark, 3),
        marks.tag(mark));
  }

  private static void put(Hand hand, int row, int tag) {
    Rows entries = hand.entries;
    if (entries.tag(row) == EntryKind.FOREIGN) {
      return; // set aside by an earlier run, and it could not be put back
    }
    hand.joined.add(
        entries.word(row, 4),
        entries.word(row, 0),
        entries.word(row, 1),
        entries.word(row, 2),
        entries.word(row, 3),
        tag);
  }

  /** Compares the digests with which two rows begin. */
  static int compare(Rows rows, int row, Rows others, int other) {
    for (int column = 0; column < 4; column++) {
      int order = Long.compareUnsigned(rows.word(row, column), others.word(other, column));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
