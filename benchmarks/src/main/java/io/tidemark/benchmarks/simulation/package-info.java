/**
 * What collections of stores that no bench machine holds would read and write: benchmarks/simulate.
 *
 * <p>{@code Store} has the chunks and who requires them, {@code Collection} makes the system calls
 * of a strategy in their order, {@code Kernel} turns each into uses of blocks and inodes ({@code
 * Layout} knows where they lie), {@code Cache} keeps what memory holds and counts reads, and one of
 * the {@code Writes} counts what the file system writes, and when. {@code Validation} compares all
 * that with measurements.
 *
 * <p>Left out: time, parallel work, the order in which a disk serves requests, bitmaps of free
 * blocks and inodes, extents and contents of chunks, the memory of the process, other users of the
 * cache, and the re-warming of {@code deferred}.
 */
package io.tidemark.benchmarks.simulation;
