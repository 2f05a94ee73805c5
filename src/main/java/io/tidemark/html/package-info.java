/** The report of a collection as a page for people. */
@NullMarked
package io.tidemark.html;

import org.jspecify.annotations.NullMarked;
