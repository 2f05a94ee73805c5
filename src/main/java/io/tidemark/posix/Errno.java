package io.tidemark.posix;

/** The error numbers of Linux, with their names and short texts, as {@code errno(3)} lists them. */
public final class Errno {
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int EBADF = 9;
  public static final int EAGAIN = 11;
  public static final int EACCES = 13;
  public static final int EBUSY = 16;
  public static final int EEXIST = 17;
  public static final int ENOTDIR = 20;
  public static final int EISDIR = 21;
  public static final int EINVAL = 22;
  public static final int ENOTTY = 25;
  public static final int ENOSPC = 28;
  public static final int EROFS = 30;
  public static final int ENAMETOOLONG = 36;
  public static final int ENOLCK = 37;
  public static final int ENOSYS = 38;
  public static final int ELOOP = 40;
  public static final int EOPNOTSUPP = 95;
  public static final int ETIMEDOUT = 110;
  public static final int ESTALE = 116;
  public static final int EDQUOT = 122;

  private Errno() {}

  /**
   * Returns the symbol, such as {@code ENOSPC}, or {@code errno 77} for one without a name here.
   */
  public static String name(int errno) {
    String entry = entry(errno);
    return entry.substring(0, entry.indexOf(' ')).replace('#', ' ');
  }

  /** Returns the symbol and its meaning, such as {@code ENOSPC (no space left on device)}. */
  public static String describe(int errno) {
    String entry = entry(errno);
    int gap = entry.indexOf(' ');
    String text = entry.substring(gap + 1);
    return text.isEmpty() ? name(errno) : name(errno) + " (" + text + ")";
  }

  private static String entry(int errno) {
    return switch (errno) {
      case EPERM -> "EPERM operation not permitted";
      case ENOENT -> "ENOENT no such file or directory";
      case EINTR -> "EINTR interrupted system call";
      case EIO -> "EIO input/output error";
      case 6 -> "ENXIO no such device or address";
      case EBADF -> "EBADF bad file descriptor";
      case EAGAIN -> "EAGAIN resource temporarily unavailable";
      case 12 -> "ENOMEM cannot allocate memory";
      case EACCES -> "EACCES permission denied";
      case 14 -> "EFAULT bad address";
      case EBUSY -> "EBUSY device or resource busy";
      case EEXIST -> "EEXIST file exists";
      case 18 -> "EXDEV invalid cross-device link";
      case 19 -> "ENODEV no such device";
      case ENOTDIR -> "ENOTDIR not a directory";
      case EISDIR -> "EISDIR is a directory";
      case EINVAL -> "EINVAL invalid argument";
      case 23 -> "ENFILE too many open files in system";
      case 24 -> "EMFILE too many open files";
      case ENOTTY -> "ENOTTY inappropriate ioctl for device";
      case 27 -> "EFBIG file too large";
      case ENOSPC -> "ENOSPC no space left on device";
      case EROFS -> "EROFS read-only file system";
      case 31 -> "EMLINK too many links";
      case ENAMETOOLONG -> "ENAMETOOLONG file name too long";
      case ENOLCK -> "ENOLCK no locks available";
      case ENOSYS -> "ENOSYS function not implemented";
      case 39 -> "ENOTEMPTY directory not empty";
      case ELOOP -> "ELOOP too many levels of symbolic links";
      case 61 -> "ENODATA no data available";
      case 75 -> "EOVERFLOW value too large for defined data type";
      case EOPNOTSUPP -> "EOPNOTSUPP operation not supported";
      case 103 -> "ECONNABORTED connection aborted";
      case 107 -> "ENOTCONN transport endpoint is not connected";
      case 108 -> "ESHUTDOWN transport endpoint is shut down";
      case ETIMEDOUT -> "ETIMEDOUT connection timed out";
      case 112 -> "EHOSTDOWN host is down";
      case ESTALE -> "ESTALE stale file handle";
      case 117 -> "EUCLEAN structure needs cleaning";
      case 121 -> "EREMOTEIO remote I/O error";
      case EDQUOT -> "EDQUOT disk quota exceeded";
      case 125 -> "ECANCELED operation canceled";
      default -> "errno#" + errno + " ";
    };
  }
}
