package io.tidemark.collect;

/**
 * Says how many chunks the ordered strategy touches in one go, in the order of their inodes.
 *
 * @param kind how the number is chosen
 * @param chunks the number, for {@link Kind#CHUNKS}; else 0
 */
public record Window(Kind kind, int chunks) {
  /** Ways to choose. */
  public enum Kind {
    /** Every chunk of the store: each block of inodes is read once and written once. */
    ALL,
    /** About so many, in groups of whole directories. */
    CHUNKS,
    /** Those of one directory. */
    DIRECTORY,
    /** What an estimate of the file system's cache says. */
    AUTO
  }

  public static final Window AUTO = new Window(Kind.AUTO, 0);
  public static final Window ALL = new Window(Kind.ALL, 0);
  public static final Window DIRECTORY = new Window(Kind.DIRECTORY, 0);

  /** Returns a window of about {@code chunks}. */
  public static Window of(int chunks) {
    return new Window(Kind.CHUNKS, chunks);
  }

  /** Returns the name as the command line spells it. */
  public String label() {
    return switch (kind) {
      case ALL -> "all";
      case CHUNKS -> Integer.toString(chunks);
      case DIRECTORY -> "directory";
      case AUTO -> "auto";
    };
  }
}
