/**
 * Opens a datastore: its chunk directories, its lock, its status file and its entry in the server's
 * configuration.
 */
@NullMarked
package io.tidemark.store;

import org.jspecify.annotations.NullMarked;
