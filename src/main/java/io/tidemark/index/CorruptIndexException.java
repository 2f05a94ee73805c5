package io.tidemark.index;

/** Says that an index file cannot be trusted: which file, what is wrong with it, and where. */
public final class CorruptIndexException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String path;
  private final long offset;

  /**
   * Makes the one line that an administrator reads.
   *
   * @param what is wrong, such as {@code wrong magic number}
   * @param offset the byte of the file at which it is wrong
   */
  public CorruptIndexException(
      String path, String what, String expected, String found, long offset) {
    super(
        ("corrupt index file %s: %s at byte %d: expected %s, found %s; nothing was removed:"
                + " restore the file, or forget the snapshot that holds it, and run again")
            .formatted(path, what, offset, expected, found));
    this.path = path;
    this.offset = offset;
  }

  public String path() {
    return path;
  }

  public long offset() {
    return offset;
  }
}
