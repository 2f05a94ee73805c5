/**
 * Keeps, between two runs, what an interrupted collection has done for certain, and tells when that
 * cannot be relied on.
 */
@NullMarked
package io.tidemark.journal;

import org.jspecify.annotations.NullMarked;
