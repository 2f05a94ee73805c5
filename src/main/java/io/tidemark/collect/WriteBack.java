package io.tidemark.collect;

import io.tidemark.posix.FileSystemStatus;
import io.tidemark.posix.PosixException;
import io.tidemark.store.ChunkStore;
import io.tidemark.work.Workers;

/** Has touched inodes written before they fill the memory that the kernel may use for them. */
final class WriteBack {
  /*
   * An inode that was touched stays in memory until it is written, which the kernel begins to do
   * after 30 seconds, and a control group of version 1 does not slow down who makes inodes dirty:
   * it kills him. By handle, touches in the order of inodes are fast enough for that in a group of
   * 128 MB. In this order a sync writes each block of inodes once, as the kernel would have done
   * later, so it costs little; in any other it would write them again and again.
   *
   * The sweep makes more dirty, so it begins with room. ZFS slows its writers down by itself.
   */
  private static final long BYTES_AN_INODE = 2048;
  private static final int SHARE = 4;
  private static final int LEAST = 4096;

  private final RunState state;
  private final ChunkStore store;
  private final Workers<Hand> workers;
  private long most = Long.MAX_VALUE;
  private long touched;

  WriteBack(RunState state, ChunkStore store, Workers<Hand> workers) {
    this.state = state;
    this.store = store;
    this.workers = workers;
  }

  /** Starts a window of touches: looks what memory there is now. */
  void start() {
    long type = store.fileSystem().type();
    most =
        type == FileSystemStatus.ZFS
            ? Long.MAX_VALUE
            : Math.max(LEAST, state.environment.cache().bytes(type) / SHARE / BYTES_AN_INODE);
  }

  /**
   * Returns how many of {@code wanted} touches may be made before the next call of {@link #note}.
   */
  int room(int wanted) {
    return Math.clamp(most - touched, 1, wanted);
  }

  /**
   * Takes note of touches that were made, and writes what they changed when the room is used up.
   *
   * @throws PosixException when that fails, for then the touches may be lost
   */
  void note(int touches) {
    touched += touches;
    if (touched >= most) {
      write();
    }
  }

  /** Writes the last touches when they would leave little room for what comes. */
  void finish() {
    if (touched >= most / 2) {
      write();
    }
  }

  private void write() {
    workers.run(
        "write-back",
        1,
        (hand, unit) ->
            PosixException.check(
                hand.calls().syncfs(store.descriptor()),
                "cannot write the access times of",
                store.chunksPath()));
    touched = 0;
  }
}
