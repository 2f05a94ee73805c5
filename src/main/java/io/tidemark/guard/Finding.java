package io.tidemark.guard;

/**
 * What tripped a wire.
 *
 * @param id a stable word for programs, such as {@code too-much-to-remove}
 * @param saw what was seen, with its figures
 * @param override what says that it is meant
 */
public record Finding(String id, String saw, String override) {}
