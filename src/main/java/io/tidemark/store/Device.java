package io.tidemark.store;

import io.tidemark.posix.FileSystemStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Says what a store's chunks are kept on, and how much may be asked of it at once.
 *
 * @param description what it is
 * @param firstWorkers how many threads to begin with
 * @param mostWorkers how many to try at most
 */
public record Device(String description, int firstWorkers, int mostWorkers) {
  /*
   * One spindle gains nothing from many requests and loses by seeking; an array or a solid-state
   * disk gains three to four times; a server far away as many times as it answers at once. Pools
   * (ZFS, btrfs over several disks) have no device of their own: they begin low and are tried.
   */
  private static final Device NETWORK = new Device("a network file system", 8, 32);
  private static final Device SPINNING = new Device("a rotating disk", 1, 8);
  private static final Device SOLID = new Device("a solid-state disk", 2, 16);
  private static final Device POOL = new Device("a file system over unknown disks", 2, 32);

  /** Looks at the file system of the chunks and the device below it. */
  public static Device of(ChunkStore store) {
    FileSystemStatus fileSystem = store.fileSystem();
    if (fileSystem.isNetwork()) {
      return NETWORK;
    }
    // A partition's queue is that of the disk, which is the folder above its own.
    Path device = Path.of("/sys/dev/block", store.chunksStatus().device());
    for (String queue : new String[] {"queue/rotational", "../queue/rotational"}) {
      String rotates = read(device, queue);
      if (!rotates.isEmpty()) {
        return rotates.equals("1") ? SPINNING : SOLID;
      }
    }
    return POOL;
  }

  private static String read(Path device, String queue) {
    try {
      Path file = device.toRealPath().resolve(queue).normalize();
      return Files.readString(file, StandardCharsets.ISO_8859_1).trim();
    } catch (IOException e) {
      return ""; // no block device, or no such file at this level
    }
  }
}
