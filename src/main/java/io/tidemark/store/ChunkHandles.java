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
   * up any name: no directory block has to be in memory. ext4 and btrfs take generation 0 for any;
   * XFS wants the right one, which a bulk status call gives. So the handle of one chunk is a
   * template for all of them: only the number changes, and on XFS the generation.
   *
   *   ext4   8 bytes: inode u32, generation u32
   *   btrfs  20 bytes: inode u64, root of the subvolume u64, generation u32
   *   xfs    8 bytes: inode u32, generation u32; or 12 bytes: inode u64, generation u32
   *
   * Needs CAP_DAC_READ_SEARCH. Whether it works is tried out, with the inode reached compared; the
   * sample is only looked at, for it may be garbage.
   */
  private static final int EXT4_BYTES = 8;
  private static final int BTRFS_BYTES = 20;
  private static final int XFS_LARGE_BYTES = 12;
  private static final int PATH_FLAGS = Open.O_PATH | Open.O_CLOEXEC;
  static final byte[] EMPTY = {0};

  private final int mount;
  private final int type;
  private final byte[] template;
  private final int inodeBytes;
  private final boolean needsGenerations;
  private final String device;

  private ChunkHandles(
      int mount,
      int type,
      byte[] template,
      int inodeBytes,
      boolean needsGenerations,
      String device) {
    this.mount = mount;
    this.type = type;
    this.template = template;
    this.inodeBytes = inodeBytes;
    this.needsGenerations = needsGenerations;
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
    if (type != FileSystemStatus.EXT4
        && type != FileSystemStatus.BTRFS
        && type != FileSystemStatus.XFS) {
      return Probe.no("handles of " + store.fileSystem().typeName() + " cannot be made up");
    }
    FileHandle handle = new FileHandle();
    directory.open(sample.prefix());
    int result = directory.handle(sample.w0(), sample.w1(), sample.w2(), sample.w3(), handle);
    if (result < 0) {
      return Probe.no("name_to_handle_at: " + Errno.name(-result));
    }
    int inodeBytes = inodeBytes(type, handle.length());
    if (inodeBytes == 0) {
      return Probe.no("its handles have " + handle.length() + " bytes");
    }
    byte[] template = Arrays.copyOf(handle.bytes(), handle.length());
    ChunkHandles handles =
        new ChunkHandles(
            store.descriptor(),
            handle.type(),
            template,
            inodeBytes,
            type == FileSystemStatus.XFS,
            store.chunksStatus().device());
    return handles.tryOn(calls, handle, sample);
  }

  private static int inodeBytes(long type, int length) {
    if (type == FileSystemStatus.BTRFS) {
      return length == BTRFS_BYTES ? 8 : 0;
    } else if (type == FileSystemStatus.XFS && length == XFS_LARGE_BYTES) {
      return 8;
    }
    return length == EXT4_BYTES ? 4 : 0;
  }

  /** A chunk to try handles on. */
  public record Sample(int prefix, long w0, long w1, long w2, long w3, long inode) {}

  private Probe tryOn(SystemCalls calls, FileHandle handle, Sample sample) {
    int generation = 0;
    if (needsGenerations) {
      XfsGenerations generations = generations(calls);
      int found = generations.find(sample.inode());
      if (found != 0) {
        return Probe.no("bulkstat: " + (found < 0 ? Errno.name(-found) : "no such inode"));
      }
      generation = generations.generation();
    }
    int fd = open(calls, handle, sample.inode(), generation);
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

  /** Tells whether the file system checks generations, so that each has to be looked up. */
  public boolean needsGenerations() {
    return needsGenerations;
  }

  /** Makes a look-up of generations for the thread that owns {@code calls}. */
  public XfsGenerations generations(SystemCalls calls) {
    return new XfsGenerations(calls, mount);
  }

  /** Returns the device that the handles are for, as {@code major:minor}. */
  public String device() {
    return device;
  }

  /**
   * Opens an inode for its status and access time only; returns a descriptor or a negated error.
   *
   * @param scratch a handle of the thread, which is overwritten
   * @param generation the inode's generation; 0 where none is needed
   */
  public int open(SystemCalls calls, FileHandle scratch, long inode, int generation) {
    byte[] bytes = scratch.bytes();
    System.arraycopy(template, 0, bytes, 0, template.length);
    for (int i = 0; i < inodeBytes; i++) {
      bytes[i] = (byte) (inode >>> (8 * i));
    }
    // The generation is the last field, whatever the file system.
    for (int i = 0; i < 4; i++) {
      bytes[template.length - 4 + i] = (byte) (generation >>> (8 * i));
    }
    scratch.set(type, template.length);
    return calls.openByHandleAt(mount, scratch, PATH_FLAGS);
  }
}
