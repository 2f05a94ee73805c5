package io.tidemark.collect;

import io.tidemark.batch.ExternalSort;
import io.tidemark.batch.Rows;
import io.tidemark.digest.DigestSink;
import io.tidemark.digest.RecentDigests;
import io.tidemark.index.IndexTotals;
import io.tidemark.plan.SharedSizes;
import io.tidemark.posix.Errno;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.PosixException;
import io.tidemark.report.RunLog;
import io.tidemark.report.StopToken;
import io.tidemark.store.EntryKind;
import io.tidemark.sweep.Cutoff;
import java.util.BitSet;
import java.util.List;

/**
 * Tells what snapshots have alone, and what would be freed if they were pruned; changes nothing.
 */
public final class PruneStudy {
  /*
   * Every index file is read. Rows of digest and owner are sorted, outside of memory when they are
   * many; all index files of no concern are one owner, so that each chunk has one row for them. The
   * chunks of concern are then looked up directory by directory, and added up by their owners.
   */
  private final PlanOptions options;
  private final Environment environment;
  private final StopToken stop;

  /** Makes a study that sees the machine through {@code environment}. */
  public PruneStudy(PlanOptions options, Environment environment, StopToken stop) {
    this.options = options;
    this.environment = environment;
    this.stop = stop;
  }

  /** Tells whether this can be the name of a snapshot or a group, as a path below a datastore. */
  public static boolean isName(String name) {
    return PrunedNames.isName(name);
  }

  /**
   * Studies the snapshots and groups with these names.
   *
   * @throws io.tidemark.store.RefusedException when there is no such snapshot or datastore
   * @throws io.tidemark.index.CorruptIndexException when an index file cannot be trusted
   * @throws PosixException when something cannot be read
   * @throws io.tidemark.report.StoppedException when a stop was requested
   */
  public PruneReport run(List<String> names) {
    try (PlanSite site = new PlanSite(options.run(), environment, stop, new RunLog());
        Ticker ticker = new Ticker(site.state, ProgressListener.NONE);
        ExternalSort owned = site.sorts().owned()) {
      ticker.start();
      PrunedNames pruned = new PrunedNames(site.store.base(), names);
      SharedSizes sizes = new SharedSizes();
      RecentDigests others = new RecentDigests(site.settings.cacheCapacity());
      IndexTotals[] totals = new IndexTotals[1];
      site.state.phase(
          "mark",
          () ->
              totals[0] =
                  site.index.mark(
                      owner -> sink(owned, others, pruned.numberOf(site.index.path(owner)))));
      site.state.phase(
          "walk",
          () ->
              new JoinWalk(site.state, site.workers, JoinWalk.MARKS_A_ROUND, new Sizes(site, sizes))
                  .run(new OwnedReferences(owned.finish(), sizes)));
      return report(site, pruned, sizes, totals[0].files());
    }
  }

  private static DigestSink sink(ExternalSort owned, RecentDigests others, int number) {
    return number == PrunedNames.OTHERS
        ? (w0, w1, w2, w3) -> {
          if (!others.seen(w0, w1, w2, w3)) {
            owned.add(w0, w1, w2, w3, number, 0);
          }
        }
        : (w0, w1, w2, w3) -> owned.add(w0, w1, w2, w3, number, 0);
  }

  private static PruneReport report(
      PlanSite site, PrunedNames pruned, SharedSizes sizes, long indexFiles) {
    BitSet all = new BitSet();
    pruned.snapshots().values().forEach(all::set);
    return new PruneReport(
        site.store.base(),
        site.glance.startSeconds(),
        site.settings.graceSeconds(),
        indexFiles,
        pruned.snapshots().entrySet().stream()
            .map(entry -> snapshot(pruned, sizes, entry.getKey(), entry.getValue()))
            .toList(),
        pruned.groups().entrySet().stream()
            .map(
                entry ->
                    new PruneReport.Group(
                        entry.getKey(),
                        entry.getValue().cardinality(),
                        pruned.snapshotsIn(entry.getKey()),
                        sizes.of(entry.getValue())))
            .toList(),
        sizes.of(all),
        pruned.withoutIndexFiles());
  }

  private static PruneReport.Snapshot snapshot(
      PrunedNames pruned, SharedSizes sizes, String name, int number) {
    BitSet alone = new BitSet();
    alone.set(number);
    return new PruneReport.Snapshot(
        name,
        pruned.isProtected(name) ? PruneReport.Protection.PROTECTED : PruneReport.Protection.NONE,
        sizes.of(alone));
  }

  /** Looks up the chunks of concern. */
  private record Sizes(PlanSite site, SharedSizes sizes) implements JoinWalk.Visitor {
    @Override
    public int firstUnswept() {
      return FullSweep.DIRECTORIES; // what no snapshot of concern requires does not matter
    }

    @Override
    public boolean unlisted(Hand hand, long w0, long w1, long w2, long w3, int owner) {
      int result = hand.directory.stat(w0, w1, w2, w3, EntryKind.CHUNK);
      if (result == -Errno.ENOENT) {
        sizes.addMissing(OwnerTag.number(owner));
        return false;
      }
      PosixException.check(
          result, "cannot examine", hand.directory.path(w0, w1, w2, w3, EntryKind.CHUNK));
      add(OwnerTag.number(owner), hand.directory.status());
      return true;
    }

    @Override
    public void directory(Hand hand) {
      Rows rows = hand.joined;
      for (int row = 0; row < rows.size(); row++) {
        int tag = rows.tag(row);
        int kind = JoinTag.kind(tag);
        if (JoinTag.isUsed(tag) && !EntryKind.isBad(kind)) {
          site.state.stop.check();
          examine(hand, row, kind, OwnerTag.number(JoinTag.owner(tag)));
        }
      }
    }

    private void examine(Hand hand, int row, int kind, int set) {
      Rows rows = hand.joined;
      int result =
          hand.directory.stat(
              rows.word(row, 1), rows.word(row, 2), rows.word(row, 3), rows.word(row, 4), kind);
      if (result == -Errno.ENOENT) {
        sizes.addMissing(set); // it was there a moment ago
      } else {
        PosixException.check(result, "cannot examine a chunk in", hand.directory.path());
        add(set, hand.directory.status());
      }
    }

    private void add(int set, FileStatus status) {
      long atime = status.atimeSeconds();
      if (site.cutoff.verdict(atime) == Cutoff.Verdict.REMOVE) {
        sizes.addOld(set, status.size(), atime);
      } else {
        sizes.addYoung(set, status.size(), atime);
      }
    }
  }
}
