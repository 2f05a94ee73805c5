/**
 * Tells from a few figures, before anything is removed, that a store is not what it was: the pure
 * part of the tripwires.
 */
@NullMarked
package io.tidemark.guard;

import org.jspecify.annotations.NullMarked;
