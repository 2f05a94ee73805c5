package io.tidemark.report;

/**
 * One thing that an administrator should look at, though the run went on.
 *
 * @param id a stable word for programs, such as {@code missing-chunk}
 * @param message what is wrong, as logged
 * @param path what it is wrong with; empty when it is nothing on disk
 */
public record Warning(String id, String message, String path) {}
