/** Divides work among threads, and finds out how many of them pay. */
@NullMarked
package io.tidemark.work;

import org.jspecify.annotations.NullMarked;
