package io.tidemark.store;

/** Says what an entry of a chunk directory is, by its name alone; a small number in the rows. */
public final class EntryKind {
  public static final int CHUNK = 0;

  /** {@code <digest>.using}, which only S3-backed stores need. */
  public static final int USING = 11;

  /** {@code <digest>.tidemark}, a chunk that a broken-off sweep had set aside. */
  public static final int ASIDE = 12;

  public static final int FOREIGN = 13;

  private EntryKind() {}

  /** Returns the kind of {@code <digest>.<number>.bad}, with 0 to 9 as the number: 1 to 10. */
  public static int bad(int number) {
    return number + 1;
  }

  public static boolean isBad(int kind) {
    return kind >= 1 && kind <= 10;
  }

  /** Returns what follows the 64 digits in a name of this kind. */
  public static String suffix(int kind) {
    if (isBad(kind)) {
      return "." + (kind - 1) + ".bad";
    }
    return switch (kind) {
      case USING -> ".using";
      case ASIDE -> ".tidemark";
      default -> "";
    };
  }
}
