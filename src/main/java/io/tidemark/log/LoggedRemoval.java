package io.tidemark.log;

import java.time.Instant;

/**
 * An entry of a removal log.
 *
 * @param time when the removal was announced, just before it
 * @param name the file's name: the digest, or the digest and {@code .0.bad}
 * @param bytes its size
 * @param used its access time
 * @param run the run that removed it
 * @param store the datastore's directory
 * @param fate what became of it
 */
public record LoggedRemoval(
    Instant time, String name, long bytes, Instant used, String run, String store, Fate fate) {
  LoggedRemoval with(Fate other) {
    return new LoggedRemoval(time, name, bytes, used, run, store, other);
  }
}
