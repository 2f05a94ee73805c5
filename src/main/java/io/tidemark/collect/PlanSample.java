package io.tidemark.collect;

import io.tidemark.batch.DirectoryRun;
import io.tidemark.batch.Rows;
import io.tidemark.plan.DirectoryLook;
import io.tidemark.plan.Measure;
import io.tidemark.plan.StoreSample;
import io.tidemark.plan.Timings;
import io.tidemark.posix.FileStatus;
import io.tidemark.store.EntryKind;
import io.tidemark.sweep.Cutoff;
import io.tidemark.work.Workers;
import java.util.Optional;
import java.util.OptionalLong;

/** Looks into some chunk directories: what is there, how old it is, and how long that took. */
final class PlanSample {
  /*
   * Of a directory, the chunks with the lowest digests are looked at, up to a number: digests are
   * uniform, so these are as good as any. They are looked up in the order of their digests in one
   * half of the directories, and by ascending inode number in the other, to compare the two. The
   * first few directories are not timed: a program that has just been started is slow.
   */
  private static final int UNTIMED = 24;

  private final RunState state;
  private final Workers<Hand> workers;
  private final int[] order;
  private final Timings timings;
  private final Cutoff cutoff;
  private final OptionalLong markedFrom;
  private final Optional<SampledReferences> references;
  private final StoreSample found;

  /**
   * @param order the prefixes of the directories there are, in the order of the sample
   * @param markedFrom when the last collection began to mark, in seconds since 1970
   * @param references what is required, if that is known
   */
  PlanSample(
      RunState state,
      Workers<Hand> workers,
      int[] order,
      Timings timings,
      Cutoff cutoff,
      OptionalLong markedFrom,
      Optional<SampledReferences> references) {
    this.state = state;
    this.workers = workers;
    this.order = order;
    this.timings = timings;
    this.cutoff = cutoff;
    this.markedFrom = markedFrom;
    this.references = references;
    this.found = new StoreSample(order.length);
  }

  /**
   * Looks into the first {@code directories} of the order, or into fewer when the time is up.
   *
   * @param chunksADirectory how many chunks to look at in each
   * @param deadlineNanos when to stop, by the monotonic clock; some are looked into in any case
   */
  StoreSample take(int directories, int chunksADirectory, long deadlineNanos, int least) {
    workers.run(
        "sample",
        Math.min(directories, order.length),
        (hand, unit) -> {
          if (unit < least || state.environment.clock().monotonicNanos() < deadlineNanos) {
            look(hand, unit, chunksADirectory);
          }
        });
    return found;
  }

  private void look(Hand hand, int unit, int most) {
    state.stop.check();
    long waits = hand.waits();
    long start = System.nanoTime();
    if (!hand.directory.open(order[unit])) {
      found.add(new DirectoryLook(0)); // gone meanwhile
      return;
    }
    hand.listByDigest();
    long listed = System.nanoTime() - start;
    DirectoryLook look = choose(hand, order[unit], most);
    boolean byInode = unit % 2 == 1;
    if (byInode) {
      hand.joined.sort();
    }
    long before = System.nanoTime();
    Rows rows = hand.joined;
    for (int row = 0; row < rows.size(); row++) {
      state.stop.check();
      examine(hand, row, look);
    }
    long lookedUp = System.nanoTime() - before;
    if (unit >= UNTIMED || order.length <= UNTIMED) {
      timings.listed(listed);
      if (byInode) {
        timings.lookedUpByInode(rows.size(), lookedUp);
      } else {
        timings.lookedUpByDigest(rows.size(), lookedUp);
      }
      timings.waited(hand.waits() - waits);
    }
    found.add(look);
  }

  /* Puts the chunks to look at into hand.joined, the inode first, with tags as in JoinTag. */
  private DirectoryLook choose(Hand hand, int prefix, int most) {
    Rows entries = hand.entries;
    DirectoryRun required =
        references.map(all -> all.in(prefix)).orElse(new DirectoryRun(entries, 0, 0));
    hand.joined.clear();
    int chunks = 0;
    int mark = required.from();
    for (int row = 0; row < entries.size(); row++) {
      if (entries.tag(row) == EntryKind.CHUNK) {
        chunks++;
        if (hand.joined.size() < most) {
          while (mark < required.to()
              && JoinWalk.compare(required.rows(), mark, entries, row) < 0) {
            mark++;
          }
          boolean used =
              mark < required.to() && JoinWalk.compare(required.rows(), mark, entries, row) == 0;
          hand.joined.add(
              entries.word(row, 4),
              entries.word(row, 0),
              entries.word(row, 1),
              entries.word(row, 2),
              entries.word(row, 3),
              used ? JoinTag.used(EntryKind.CHUNK, 0) : JoinTag.unused(EntryKind.CHUNK));
        }
      }
    }
    return new DirectoryLook(chunks);
  }

  private void examine(Hand hand, int row, DirectoryLook look) {
    Rows rows = hand.joined;
    int result =
        hand.directory.stat(
            rows.word(row, 1),
            rows.word(row, 2),
            rows.word(row, 3),
            rows.word(row, 4),
            EntryKind.CHUNK);
    FileStatus status = hand.directory.status();
    if (result < 0 || !status.isRegular()) {
      return; // gone meanwhile, or not to be looked at
    }
    long size = status.size();
    look.present(size);
    long atime = status.atimeSeconds();
    Cutoff.Verdict verdict = cutoff.verdict(atime);
    boolean old = verdict == Cutoff.Verdict.REMOVE;
    boolean unmarked = markedFrom.isPresent() && atime < markedFrom.getAsLong();
    if (old) {
      look.count(Measure.OLD, size);
    }
    if (unmarked) {
      look.count(old ? Measure.UNMARKED : Measure.UNMARKED_YOUNG, size);
    }
    boolean unused = references.isPresent() && !JoinTag.isUsed(rows.tag(row));
    if (unused && verdict != Cutoff.Verdict.KEEP) {
      look.count(old ? Measure.FREED : Measure.PENDING, size);
    }
    if (verdict == Cutoff.Verdict.PENDING && (unused || (references.isEmpty() && unmarked))) {
      look.pendingSince(atime);
    }
  }
}
