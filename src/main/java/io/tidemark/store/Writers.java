package io.tidemark.store;

/**
 * The moment at which a run starts, and since when somebody else may be writing.
 *
 * @param startSeconds seconds since 1970
 * @param oldestSeconds seconds since 1970; the start when nobody is writing
 */
record Writers(long startSeconds, long oldestSeconds) {}
