package io.tidemark.journal;

/**
 * A chunk that was missing.
 *
 * @param digest its 64 hexadecimal digits
 * @param index the path of an index file that requires it
 * @param badFiles how many corrupt copies there were
 */
public record MissingChunk(String digest, String index, int badFiles) {}
