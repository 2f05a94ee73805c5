/**
 * Turns arguments into a collection and its result into an exit code; the only package that knows
 * picocli, terminals and exit codes.
 */
@NullMarked
package io.tidemark.cli;

import org.jspecify.annotations.NullMarked;
