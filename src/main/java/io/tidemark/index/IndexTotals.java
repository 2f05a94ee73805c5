package io.tidemark.index;

/**
 * What was read in one mark.
 *
 * @param files how many index files; one that was read again counts once
 * @param bytes the data that they stand for, before deduplication
 * @param references how many digests were read, repeated readings included
 */
public record IndexTotals(long files, long bytes, long references) {}
