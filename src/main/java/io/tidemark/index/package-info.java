/**
 * Finds the index files of a datastore and reads the digests that they refer to, in the order of
 * the backup.
 */
@NullMarked
package io.tidemark.index;

import org.jspecify.annotations.NullMarked;
