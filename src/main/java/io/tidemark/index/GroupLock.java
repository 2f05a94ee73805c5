package io.tidemark.index;

import io.tidemark.posix.SystemCalls;

/** Holds the exclusive lock on one backup group until it is closed. */
final class GroupLock implements AutoCloseable {
  private final SystemCalls calls;
  private final String path;
  private final int fd;

  GroupLock(SystemCalls calls, String path, int fd) {
    this.calls = calls;
    this.path = path;
    this.fd = fd;
  }

  /** Returns the path of what is locked. */
  String path() {
    return path;
  }

  @Override
  public void close() {
    calls.close(fd);
  }
}
