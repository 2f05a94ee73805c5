package io.tidemark.collect;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidemark.collect.ModelServer.Group;
import io.tidemark.collect.ModelServer.Snapshot;
import io.tidemark.posix.FileName;
import io.tidemark.posix.SystemCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A backup or a sync job: chunks first, then the index file that refers to them, and so on. */
final class ModelBackup implements ModelServer.Actor {
  /*
   * Of each chunk one is known from the snapshot before, or inserted: looked for and, when it is
   * there, touched, else written under a temporary name and renamed. A sync job touches first and
   * inserts what was not there. A touch of a chunk that was there a moment ago fails the backup.
   */
  private enum Next {
    CHUNK,
    LOOK,
    TOUCH,
    TRY_TOUCH,
    WRITE,
    RENAME,
    CLOSE,
    PLACE,
    FINISH,
    DONE
  }

  private static final String TEMPORARY = ".tmp_aB3xY9";

  private final ModelServer server;
  private final Group group;
  private final Snapshot snapshot;
  private final Snapshot base;
  private final String directory;
  private final int lock;
  private final List<Integer> known = new ArrayList<>();
  private List<Integer> chunks = new ArrayList<>();
  private Next next = Next.CHUNK;
  private int digest;
  private int files;
  final long startSeconds;
  long turnedBack;

  private ModelBackup(
      ModelServer server,
      Group group,
      String directory,
      Snapshot snapshot,
      int lock,
      long startSeconds) {
    this.server = server;
    this.group = group;
    this.directory = directory;
    this.snapshot = snapshot;
    this.base = group.base();
    this.lock = lock;
    this.startSeconds = startSeconds;
    base.indexes.values().forEach(known::addAll);
    this.files = 1 + server.random.nextInt(2);
  }

  /** Starts a backup of the group, unless a run has the store for itself. */
  static Optional<ModelBackup> start(ModelServer server, String path, SystemCalls calls) {
    Group group = server.group(path);
    long start = Math.floorDiv(server.clock.wallNanos(), 1_000_000_000L);
    int lock = server.disk.lockShared(calls);
    if (lock < 0) {
      return Optional.empty();
    }
    Snapshot snapshot = new Snapshot(server.newSnapshot());
    String directory = server.disk.base + path + "/" + snapshot.name;
    ModelBackup backup = new ModelBackup(server, group, directory, snapshot, lock, start);
    server.writers.add(backup);
    server.writersChanged(calls);
    ModelDisk.makeDirectory(directory);
    group.locked = true;
    snapshot.running = true;
    backup.base.uses++;
    group.snapshots.add(snapshot);
    server.note("backup " + path + "/" + snapshot.name + " after " + backup.base.name);
    return Optional.of(backup);
  }

  @Override
  public boolean step(SystemCalls calls) {
    int fate = server.random.nextInt(100);
    if (fate == 0 && next == Next.CHUNK) {
      abort(calls);
    } else if (fate == 1 && next == Next.CHUNK) {
      server.note("crash of " + snapshot.name);
      end(calls);
    } else {
      work(calls);
    }
    return next != Next.DONE;
  }

  private void work(SystemCalls calls) {
    switch (next) {
      case CHUNK -> chooseChunk();
      case LOOK -> next = server.disk.exists(calls, digest, "") ? Next.TOUCH : Next.WRITE;
      case TOUCH -> {
        if (server.disk.touch(calls, digest)) {
          took();
        } else {
          server.failedUploads++;
          server.leave();
          abort(calls);
        }
      }
      case TRY_TOUCH -> {
        if (server.disk.touch(calls, digest)) {
          took();
        } else {
          next = Next.LOOK;
        }
      }
      case WRITE -> {
        server.disk.writeTemporary(calls, digest, TEMPORARY);
        next = Next.RENAME;
      }
      case RENAME -> {
        server.disk.rename(calls, digest, TEMPORARY, "");
        server.corrupt.remove(digest);
        took();
      }
      case CLOSE -> {
        server.disk.writeIndex(calls, indexPath(true), chunks);
        next = Next.PLACE;
      }
      case PLACE -> {
        server.disk.rename(calls, indexPath(true), indexPath(false));
        snapshot.indexes.put(indexName(false), chunks);
        server.note(snapshot.name + "/" + indexName(false) + " " + chunks);
        chunks = new ArrayList<>();
        files--;
        next = files == 0 ? Next.FINISH : Next.CHUNK;
      }
      case FINISH -> {
        server.disk.write(
            calls, FileName.encode(directory + "/index.json.blob"), "{}".getBytes(US_ASCII));
        snapshot.finished = true;
        server.note("finished " + snapshot.name);
        end(calls);
      }
      case DONE -> {}
    }
  }

  private void chooseChunk() {
    int kind = server.random.nextInt(10);
    if (chunks.size() >= 2 && kind < 3) {
      next = Next.CLOSE;
    } else if (!known.isEmpty() && kind < 7) {
      chunks.add(server.pick(known));
    } else if (server.enter()) {
      digest = server.chunkToInsert();
      next = kind < 8 ? Next.TRY_TOUCH : Next.LOOK;
    }
  }

  private void took() {
    server.leave();
    chunks.add(digest);
    server.note(snapshot.name + " took " + digest);
    next = Next.CHUNK;
  }

  private String indexName(boolean temporary) {
    String kind = files == 1 ? "fidx" : "didx";
    return "disk" + files + "." + (temporary ? "tmp_" : "") + kind;
  }

  private String indexPath(boolean temporary) {
    return directory + "/" + indexName(temporary);
  }

  private void abort(SystemCalls calls) {
    server.note("abort of " + snapshot.name);
    for (String name : snapshot.indexes.keySet()) {
      server.disk.remove(calls, directory + "/" + name);
    }
    snapshot.indexes.clear();
    ModelDisk.removeDirectory(directory);
    group.snapshots.remove(snapshot);
    end(calls);
  }

  private void end(SystemCalls calls) {
    snapshot.running = false;
    base.uses--;
    group.locked = false;
    server.writers.remove(this);
    calls.close(lock);
    server.writersChanged(calls);
    next = Next.DONE;
  }
}
