/** Draws what the cold-store harness measured and what the simulation counted: benchmarks/plot. */
package io.tidemark.benchmarks.plot;
