package io.tidemark.cli;

import io.tidemark.guard.Tripwires;
import io.tidemark.guard.Wire;
import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say when a collection is refused before it removes anything. */
final class TripwireOptions {
  @Option(
      names = "--max-removal",
      paramLabel = "PERCENT",
      description =
          "Refuse when a larger share of the chunks, and 100 or more, would go (default: 50 when a"
              + " collection has been before, else 90).")
  private @Nullable Integer maxRemoval;

  @Option(
      names = "--allow-fewer-indexes",
      description = "Go on when more than half of the index files are gone since the last time.")
  private boolean allowFewerIndexes;

  @Option(
      names = "--allow-missing",
      description = "Go on when more than one in a hundred chunks in use is missing.")
  private boolean allowMissing;

  @Option(
      names = "--allow-uneven",
      description = "Go on when a chunk directory has lost its chunks.")
  private boolean allowUneven;

  /**
   * Returns what they say.
   *
   * @throws IllegalArgumentException when that makes no sense
   */
  Tripwires tripwires() {
    Set<Wire> off = EnumSet.noneOf(Wire.class);
    if (allowFewerIndexes) {
      off.add(Wire.FEWER_INDEXES);
    }
    if (allowMissing) {
      off.add(Wire.MISSING);
    }
    if (allowUneven) {
      off.add(Wire.UNEVEN);
    }
    return new Tripwires(
        maxRemoval == null ? OptionalInt.empty() : OptionalInt.of(maxRemoval), off);
  }
}
