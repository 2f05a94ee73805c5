package io.tidemark.warm;

/** Says when a chunk directory that was read before is read again. */
public enum Rewarm {
  /** When touches in it had to wait for the disk. */
  AUTO,
  /** At no time. */
  NEVER,
  /** In each flush. */
  ALWAYS
}
