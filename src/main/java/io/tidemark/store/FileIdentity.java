package io.tidemark.store;

/**
 * Tells whether a file is the one that was there before, with the contents of then.
 *
 * @param inode its inode number
 * @param size in bytes
 * @param modifiedNanos when its contents were changed last, in nanoseconds since 1970
 * @param changedNanos the same for contents, name or attributes, which nobody can set at will
 * @param header what its header says of the contents: a number of the file and a checksum
 */
public record FileIdentity(
    long inode, long size, long modifiedNanos, long changedNanos, String header) {}
