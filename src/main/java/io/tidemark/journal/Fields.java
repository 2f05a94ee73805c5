package io.tidemark.journal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a JSON object or list, each of the type that it must have. */
final class Fields {
  private static final int DIRECTORIES = 65536;

  private final Map<?, ?> values;

  Fields(Map<?, ?> values) {
    this.values = values;
  }

  private static Fields of(List<?> list) {
    Map<Object, @Nullable Object> values = new LinkedHashMap<>();
    for (Object value : list) {
      values.put(values.size(), value);
    }
    return new Fields(values);
  }

  String text(Object key) {
    return require(key, String.class);
  }

  long number(Object key) {
    return asNumber(require(key, Number.class));
  }

  private static long asNumber(Object value) {
    if (value instanceof Long || value instanceof Integer) {
      return ((Number) value).longValue();
    }
    throw new IllegalArgumentException("not a whole number: " + value);
  }

  /** Returns the number of a chunk directory, or that after the last. */
  int directory(Object key) {
    long number = number(key);
    if (number < 0 || number > DIRECTORIES) {
      throw new IllegalArgumentException("no directory: " + number);
    }
    return (int) number;
  }

  Map<String, Long> numbers(Object key) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    Map<?, ?> named = require(key, Map.class);
    named.forEach((name, value) -> numbers.put(String.valueOf(name), asNumber(value)));
    return numbers;
  }

  Fields list(Object key) {
    return of(require(key, List.class));
  }

  List<Fields> lists(Object key) {
    List<Fields> lists = new ArrayList<>();
    for (Object value : require(key, List.class)) {
      if (!(value instanceof List<?> list)) {
        throw new IllegalArgumentException("not a list: " + value);
      }
      lists.add(of(list));
    }
    return lists;
  }

  private <T> T require(Object key, Class<T> type) {
    Object value = values.get(key);
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(key + " is " + value);
    }
    return type.cast(value);
  }
}
