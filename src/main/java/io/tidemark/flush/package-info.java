/**
 * Touches the chunks of a batch, directory run by directory run or in inode order, and counts the
 * chunks that are missing.
 */
@NullMarked
package io.tidemark.flush;

import org.jspecify.annotations.NullMarked;
