package io.tidemark.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/**
 * What {@code .gc-status} tells of the last collection, by whoever did it.
 *
 * @param startSeconds when it began, in seconds since 1970; empty when it was none of the server's
 *     own, which notes the task
 * @param endSeconds when the file was written
 * @param usedChunks chunks in use
 * @param pendingChunks unused chunks that were too young to go
 * @param pendingBytes their bytes
 */
public record LastCollection(
    OptionalLong startSeconds,
    long endSeconds,
    long usedChunks,
    long pendingChunks,
    long pendingBytes) {
  private static final int UPID_FIELDS = 9;
  private static final int UPID_START = 5;

  /** Reads it; empty when there is none, or none that makes sense. */
  public static Optional<LastCollection> read(String base) {
    Path file = Path.of(base, ".gc-status");
    try {
      Map<String, Object> fields = JSON.std.mapFrom(Files.readAllBytes(file));
      return Optional.of(
          new LastCollection(
              start(fields.get("upid")),
              Files.getLastModifiedTime(file).toInstant().getEpochSecond(),
              number(fields.get("disk-chunks")),
              number(fields.get("pending-chunks")),
              number(fields.get("pending-bytes"))));
    } catch (IOException | JacksonException e) {
      return Optional.empty();
    }
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }

  /* UPID:node:pid:pstart:task:start:type:worker:user: with numbers in hexadecimal. */
  private static OptionalLong start(@Nullable Object upid) {
    if (upid instanceof String text) {
      String[] fields = text.split(":", -1);
      if (fields.length >= UPID_FIELDS && fields[UPID_START].matches("[0-9A-Fa-f]{1,15}")) {
        return OptionalLong.of(Long.parseLong(fields[UPID_START], 16));
      }
    }
    return OptionalLong.empty();
  }
}
