package io.tidemark.store;

import io.tidemark.posix.SystemCalls;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Looks up the generations of XFS inodes, many at a time and in ascending order. */
public final class XfsGenerations {
  /*
   * XFS checks the generation in a file handle. The ioctl XFS_IOC_BULKSTAT gives, from an inode
   * number on, the status of the next inodes that exist, read in clusters as they lie on the disk:
   * so it also reads ahead what is touched next. Needs CAP_SYS_ADMIN.
   *
   * Request (64 bytes): first inode u64 @0, flags u32 @8, count wanted u32 @12, count given u32
   * @16. Then 192 bytes an inode: number u64 @0, generation u32 @64.
   */
  private static final long XFS_IOC_BULKSTAT = 0x8040587FL;
  private static final int HEADER = 64;
  private static final int RECORD = 192;
  private static final int GENERATION = 64;
  private static final int INODES = 256;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final SystemCalls calls;
  private final int mount;
  private final byte[] request = new byte[HEADER + INODES * RECORD];
  private int given;
  private int at;
  private int generation;

  /**
   * Makes a look-up for one thread.
   *
   * @param mount a descriptor of a file on the file system
   */
  public XfsGenerations(SystemCalls calls, int mount) {
    this.calls = calls;
    this.mount = mount;
  }

  /**
   * Looks up an inode; fast when the numbers asked for ascend.
   *
   * @return 0 when {@link #generation} has the answer, 1 when there is no such inode, or a negated
   *     error number
   */
  public int find(long inode) {
    if (given == 0 || number(0) > inode || number(given - 1) < inode) {
      int result = load(inode);
      if (result < 0) {
        return result;
      }
    }
    if (at >= given || number(at) > inode) {
      at = 0;
    }
    while (at < given && number(at) < inode) {
      at++;
    }
    if (at == given || number(at) != inode) {
      return 1;
    }
    generation = (int) INT.get(request, HEADER + at * RECORD + GENERATION);
    return 0;
  }

  /** Returns the generation of the inode that was found last. */
  public int generation() {
    return generation;
  }

  private long number(int record) {
    return (long) LONG.get(request, HEADER + record * RECORD);
  }

  private int load(long inode) {
    Arrays.fill(request, 0, HEADER, (byte) 0);
    LONG.set(request, 0, inode);
    INT.set(request, 12, INODES);
    int result = calls.ioctl(mount, XFS_IOC_BULKSTAT, request);
    given = result < 0 ? 0 : (int) INT.get(request, 16);
    at = 0;
    return result;
  }
}
