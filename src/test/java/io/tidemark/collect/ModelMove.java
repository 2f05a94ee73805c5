package io.tidemark.collect;

import io.tidemark.collect.ModelServer.Group;
import io.tidemark.collect.ModelServer.Snapshot;
import io.tidemark.posix.SystemCalls;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Moves a group into another namespace, or its snapshots into the group that is there. */
final class ModelMove implements ModelServer.Actor {
  private final ModelServer server;
  private final String from;
  private final Group group;
  private final String to;
  private final Group target;
  private boolean noted;

  ModelMove(ModelServer server, String from, Group group, String to, Group target) {
    this.server = server;
    this.from = from;
    this.group = group;
    this.to = to;
    this.target = target;
    group.locked = true;
    target.locked = true;
    server.note("move " + from + " to " + to);
  }

  @Override
  public boolean step(SystemCalls calls) {
    if (group.snapshots.isEmpty() || isPruning()) {
      end();
      return false;
    }
    if (!noted) {
      noted = server.disk.appendToJournal(calls, paths());
      return true;
    }
    if (target.snapshots.isEmpty()) {
      ModelDisk.makeDirectory(server.disk.base + to);
      ModelDisk.removeDirectory(server.disk.base + to);
      server.disk.rename(calls, server.disk.base + from, server.disk.base + to);
      target.snapshots.addAll(group.snapshots);
      group.snapshots.clear();
      end();
      return false;
    }
    Snapshot first = group.snapshots.getFirst();
    String path = server.disk.base + to + "/" + first.name;
    server.disk.rename(calls, server.disk.base + from + "/" + first.name, path);
    group.snapshots.remove(first);
    target.snapshots.add(first);
    target.snapshots.sort(Comparator.comparing(snapshot -> snapshot.name));
    return true;
  }

  /* A prune needs no lock of the group, only of its snapshot, which then does not move. */
  private boolean isPruning() {
    return group.snapshots.stream().anyMatch(snapshot -> snapshot.pruned)
        || target.snapshots.stream().anyMatch(snapshot -> snapshot.pruned);
  }

  private List<String> paths() {
    List<String> paths = new ArrayList<>();
    for (Snapshot snapshot : group.snapshots) {
      for (String index : snapshot.indexes.keySet()) {
        paths.add(server.disk.base + to + "/" + snapshot.name + "/" + index);
      }
    }
    if (paths.isEmpty()) {
      paths.add(server.disk.base + to + "/none.fidx");
    }
    return paths;
  }

  private void end() {
    server.moves++;
    group.locked = false;
    target.locked = false;
  }
}
