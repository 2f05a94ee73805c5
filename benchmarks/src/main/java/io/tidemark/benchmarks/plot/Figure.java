package io.tidemark.benchmarks.plot;

import java.util.Map;

/** Numbers and names in parsed JSON. */
final class Figure {
  private Figure() {}

  static double number(Map<?, ?> object, String name) {
    return object.get(name) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  static String text(Map<?, ?> object, String name) {
    return String.valueOf(object.get(name));
  }
}
