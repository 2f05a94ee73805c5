package io.tidemark.benchmarks.simulation;

/** Numbers with a unit. */
final class Quantities {
  private Quantities() {}

  /** Reads a size or a number whose unit is k, M or G, powers of 1,024. */
  static long parse(String text) {
    return parse(text, 1024);
  }

  /** Reads a number whose unit is k, M or G, powers of 1,000. */
  static long count(String text) {
    return parse(text, 1000);
  }

  private static long parse(String text, long base) {
    int last = text.length() - 1;
    long unit =
        switch (text.charAt(last)) {
          case 'k', 'K' -> base;
          case 'M' -> base * base;
          case 'G' -> base * base * base;
          default -> 1;
        };
    return unit == 1
        ? Long.parseLong(text)
        : (long) (Double.parseDouble(text.substring(0, last)) * unit);
  }
}
