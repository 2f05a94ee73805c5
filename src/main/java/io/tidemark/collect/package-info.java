/**
 * Runs a collection from lock to report, mark before sweep; the whole algorithm is here and every
 * other package serves one line of it.
 */
@NullMarked
package io.tidemark.collect;

import org.jspecify.annotations.NullMarked;
