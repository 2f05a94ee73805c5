package io.tidemark.posix;

/** Says that a system call failed: what was tried, on which path, and the error number. */
public final class PosixException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String path;
  private final int errno;

  /**
   * @param what the attempt, to stand before the path, such as {@code cannot touch chunk}
   * @param path what it was tried on
   * @param result what the call returned: a negated error number
   */
  public PosixException(String what, String path, int result) {
    super(what + " " + path + ": " + Errno.describe(Math.abs(result)));
    this.path = path;
    this.errno = Math.abs(result);
  }

  public String path() {
    return path;
  }

  /** Returns the positive error number. */
  public int errno() {
    return errno;
  }

  /** Returns {@code result} when it is no error, and throws otherwise. */
  public static int check(int result, String what, String path) {
    if (result < 0) {
      throw new PosixException(what, path, result);
    }
    return result;
  }
}
