package io.tidemark.collect;

import io.tidemark.collect.ModelServer.Group;
import io.tidemark.collect.ModelServer.Snapshot;
import io.tidemark.posix.SystemCalls;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Removes a snapshot, file by file. */
final class ModelPrune implements ModelServer.Actor {
  private final ModelServer server;
  private final Group group;
  private final Snapshot snapshot;
  private final String directory;
  private final List<String> files;

  ModelPrune(ModelServer server, Group group, String path, Snapshot snapshot) {
    this.server = server;
    this.group = group;
    this.snapshot = snapshot;
    this.directory = server.disk.base + path + "/" + snapshot.name;
    this.files = new ArrayList<>(snapshot.indexes.keySet());
    if (snapshot.finished) {
      files.add("index.json.blob");
    }
    Collections.shuffle(files, server.random);
  }

  @Override
  public boolean step(SystemCalls calls) {
    if (files.isEmpty()) {
      ModelDisk.removeDirectory(directory);
      group.snapshots.remove(snapshot);
      return false;
    }
    String file = files.removeLast();
    server.disk.remove(calls, directory + "/" + file);
    snapshot.indexes.remove(file);
    return true;
  }
}
