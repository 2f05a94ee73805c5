/**
 * Estimates what a collection would find and how long it would take, from figures that others have
 * gathered: the pure part of the plan.
 */
@NullMarked
package io.tidemark.plan;

import org.jspecify.annotations.NullMarked;
