/**
 * Gathers digests into bounded batches and sorts them into one run for each chunk directory,
 * spilling to disk what does not fit in memory.
 */
@NullMarked
package io.tidemark.batch;

import org.jspecify.annotations.NullMarked;
