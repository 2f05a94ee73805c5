/**
 * Judges each chunk by its access time against a cutoff and removes those that no index file has
 * refreshed.
 */
@NullMarked
package io.tidemark.sweep;

import org.jspecify.annotations.NullMarked;
