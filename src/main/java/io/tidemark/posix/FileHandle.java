package io.tidemark.posix;

/** A file handle as {@code name_to_handle_at} makes and {@code open_by_handle_at} takes it. */
public final class FileHandle {
  /** The kernel's limit on the opaque bytes. */
  public static final int MAXIMUM_BYTES = 128;

  int type;
  int length;
  final byte[] bytes = new byte[MAXIMUM_BYTES];

  public int type() {
    return type;
  }

  /** Returns how many of {@link #bytes} count. */
  public int length() {
    return length;
  }

  /** Returns the opaque bytes themselves, to be read or changed in place. */
  public byte[] bytes() {
    return bytes;
  }

  /** Makes this a handle of {@code type} with {@code length} bytes, which keep their values. */
  public void set(int type, int length) {
    this.type = type;
    this.length = length;
  }
}
