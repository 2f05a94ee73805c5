/**
 * Reads chunk directories ahead of the touches, so that the inodes are in the kernel's cache, and
 * knows which directories are warm.
 */
@NullMarked
package io.tidemark.warm;

import org.jspecify.annotations.NullMarked;
