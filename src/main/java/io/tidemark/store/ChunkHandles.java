package io.tidemark.store;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FileHandle;
import io.tidemark.posix.FileStatus;
import io.tidemark.posix.FileSystemStatus;
import io.tidemark.posix.Open;
import io.tidemark.posix.SystemCalls;
import java.util.Arrays;
import java.util.Optional;

/** Opens chunks by their inode numbers alone, on file systems that make it possible. */
public final class ChunkHandles {
  /*
   * A file handle holds the inode number and a generation, and the kernel opens it without looking
   * up any name: no directory block has to be in memory. ext4 and btrfs take generation 0 for any.
   * So the handle of one chunk is a template for all of them: only the number changes.
   *
   *   ext4   8 bytes: inode u32, generation u32
   *   btrfs  20 bytes: inode u64, root of the subvolume u64, generation u32
   *
   * Needs CAP_DAC_READ_SEARCH. Whether it works is tried out, with the inode reached compared; the
   * sample is only looked at, for it may be garbage.
   */
  private static final int EXT4_BYTES = 8;
  private static final int BTRFS_BYTES = 20;
  private static final int PATH_FLAGS = Open.O_PATH | Open.O_CLOEXEC;
  static final byte[] EMPTY = {0};

  private final int mount;
  private final int type;
  private final byte[] template;
  private final int inodeBytes;
  private final String device;

  private ChunkHandles(int mount, int type, byte[] template, int inodeBytes, String device) {
    this.mount = mount;
    this.type = type;
    this.template = template;
    this.inodeBytes = inodeBytes;
    this.device = device;
  }

  /** What a probe found out: the handles, or why there are none. */
  public record Probe(Optional<ChunkHandles> handles, String reason) {
    private static Probe no(String reason) {
      return new Probe(Optional.empty(), reason);
    }
  }

  /**
   * Tries whether handles work here.
   *
   * @param sample a chunk: the directory's prefix, its digest, and the inode that a listing gave
   */
  public static Probe probe(
      SystemCalls calls, ChunkStore store, ChunkDirectory directory, Sample sample) {
    long type = store.fileSystem().type();
    if (type != FileSystemStatus.EXT4 && type != FileSystemStatus.BTRFS) {
      return Probe.no(store.fileSystem().typeName() + " has no handles without a generation");
    }
    int expected = type == FileSystemStatus.EXT4 ? EXT4_BYTES : BTRFS_BYTES;
    FileHandle handle = new FileHandle();
    directory.open(sample.prefix());
    int result = directory.handle(sample.w0(), sample.w1(), sample.w2(), sample.w3(), handle);
    if (result < 0) {
      return Probe.no("name_to_handle_at: " + Errno.name(-result));
    }
    if (handle.length() != expected) {
      return Probe.no("its handles have " + handle.length() + " bytes");
    }
    byte[] template = Arrays.copyOf(handle.bytes(), expected);
    ChunkHandles handles =
        new ChunkHandles(
            store.descriptor(),
            handle.type(),
            template,
            type == FileSystemStatus.EXT4 ? 4 : 8,
            store.chunksStatus().device());
    return handles.tryOn(calls, handle, sample);
  }

  /** A chunk to try handles on. */
  public record Sample(int prefix, long w0, long w1, long w2, long w3, long inode) {}

  private Probe tryOn(SystemCalls calls, FileHandle handle, Sample sample) {
    int fd = open(calls, handle, sample.inode());
    if (fd < 0) {
      return Probe.no("open_by_handle_at: " + Errno.name(-fd));
    }
    try {
      FileStatus status = new FileStatus();
      int result = calls.statx(fd, EMPTY, Open.AT_EMPTY_PATH, status);
      if (result < 0 || status.inode() != sample.inode() || !status.device().equals(device)) {
        return Probe.no("a handle led to another file");
      }
      return new Probe(Optional.of(this), "");
    } finally {
      calls.close(fd);
    }
  }

  /** Returns the device that the handles are for, as {@code major:minor}. */
  public String device() {
    return device;
  }

  /**
   * Opens an inode for its status and access time only; returns a descriptor or a negated error.
   *
   * @param scratch a handle of the thread, which is overwritten
   */
  public int open(SystemCalls calls, FileHandle scratch, long inode) {
    byte[] bytes = scratch.bytes();
    System.arraycopy(template, 0, bytes, 0, template.length);
    for (int i = 0; i < inodeBytes; i++) {
      bytes[i] = (byte) (inode >>> (8 * i));
    }
    // The generation is the last field, whatever the file system.
    Arrays.fill(bytes, template.length - 4, template.length, (byte) 0);
    scratch.set(type, template.length);
    return calls.openByHandleAt(mount, scratch, PATH_FLAGS);
  }
}
