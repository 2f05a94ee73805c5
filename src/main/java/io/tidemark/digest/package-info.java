/**
 * Holds 32-byte chunk digests in flat arrays, maps a digest to its file name and back, and
 * remembers the digests seen last.
 */
@NullMarked
package io.tidemark.digest;

import org.jspecify.annotations.NullMarked;
