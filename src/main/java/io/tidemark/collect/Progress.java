package io.tidemark.collect;

/**
 * How far a collection has come.
 *
 * @param phase what it is doing
 * @param indexFiles index files read
 * @param indexFilesTotal index files known
 * @param references digests read from them
 * @param touched access times set
 * @param directories chunk directories swept, of 65,536
 * @param chunks chunks looked at by the sweep
 */
public record Progress(
    String phase,
    long indexFiles,
    long indexFilesTotal,
    long references,
    long touched,
    long directories,
    long chunks) {}
