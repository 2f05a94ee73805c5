/**
 * Counts what a run does and renders it as progress lines, as the closing summary and as a JSON
 * object.
 */
@NullMarked
package io.tidemark.report;

import org.jspecify.annotations.NullMarked;
