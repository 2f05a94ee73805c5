package io.tidemark.journal;

/**
 * The run that a journal belongs to, which those that continue it have in common.
 *
 * @param run a random name
 * @param store the path of the datastore
 * @param chunksInode the inode number of its directory {@code .chunks}
 * @param strategy how the mark is carried out
 * @param startSeconds when the first run began, in seconds since 1970 by the file system's clock
 * @param oldestWriterSeconds since when somebody was writing then
 * @param minimumAtimeSeconds chunks used before this may go
 */
public record Origin(
    String run,
    String store,
    long chunksInode,
    String strategy,
    long startSeconds,
    long oldestWriterSeconds,
    long minimumAtimeSeconds) {}
