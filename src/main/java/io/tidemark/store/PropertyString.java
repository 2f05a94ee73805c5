package io.tidemark.store;

import java.util.LinkedHashMap;
import java.util.Map;

/** Parses the lists of {@code key=value} that a single setting may hold. */
final class PropertyString {
  /*
   * list = item { "," item };  item = [ key "=" ] ( plain | quoted )
   * A quoted value stands between double quotes and may hold commas; \" \\ and \n are its escapes.
   * One item may go without its key, if the setting has a default key.
   */
  private final String text;
  private int at;

  private PropertyString(String text) {
    this.text = text;
  }

  /**
   * Returns the values by key.
   *
   * @param defaultKey the key of an item without one; empty when each item must have a key
   * @throws IllegalArgumentException when the text is no such list; the message says why
   */
  static Map<String, String> parse(String text, String defaultKey) {
    PropertyString in = new PropertyString(text);
    Map<String, String> values = new LinkedHashMap<>();
    while (in.at < text.length()) {
      String key = in.key(defaultKey);
      String value = in.value();
      if (values.put(key, value) != null) {
        throw new IllegalArgumentException("'" + key + "' occurs twice");
      }
    }
    return values;
  }

  private String key(String defaultKey) {
    int end = at;
    while (end < text.length() && "=,\"".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    if (end < text.length() && text.charAt(end) == '=') {
      String key = text.substring(at, end).strip();
      at = end + 1;
      return key;
    }
    if (defaultKey.isEmpty()) {
      throw new IllegalArgumentException("'" + text.substring(at, end) + "' has no key");
    }
    return defaultKey;
  }

  /* Reads a value and the comma after it. */
  private String value() {
    if (at < text.length() && text.charAt(at) == '"') {
      return quoted();
    }
    int comma = text.indexOf(',', at);
    int end = comma < 0 ? text.length() : comma;
    String value = text.substring(at, end).strip();
    at = end + 1;
    return value;
  }

  private String quoted() {
    StringBuilder value = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        at++;
        if (at < text.length() && text.charAt(at++) != ',') {
          throw new IllegalArgumentException("a quoted value does not end at a comma");
        }
        return value.toString();
      }
      value.append(c == '\\' ? escaped() : c);
    }
    throw new IllegalArgumentException("a quote is not closed");
  }

  private char escaped() {
    at++;
    char c = at < text.length() ? text.charAt(at) : ' ';
    return switch (c) {
      case '"', '\\' -> c;
      case 'n' -> '\n';
      default -> throw new IllegalArgumentException("a backslash is followed by '" + c + "'");
    };
  }
}
