/**
 * Calls the C library: the only native code, with names and argument order as in libc and failures
 * as negative errno values.
 */
@NullMarked
package io.tidemark.posix;

import org.jspecify.annotations.NullMarked;
