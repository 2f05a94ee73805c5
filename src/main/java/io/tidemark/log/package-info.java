/** Keeps a record of every chunk that is removed, written before it goes, and finds it again. */
@NullMarked
package io.tidemark.log;

import org.jspecify.annotations.NullMarked;
