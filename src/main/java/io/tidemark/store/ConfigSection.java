package io.tidemark.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One section of a configuration file: a header {@code type: id} and indented settings.
 *
 * @param line the number of the header line, from 1
 */
record ConfigSection(String type, String id, int line, Map<String, Setting> settings) {
  /** A setting's value and the number of its line. */
  record Setting(String value, int line) {}

  /* A blank line ends a section; there are no comments. Unknown keys and types are no errors. */

  /**
   * Returns the sections of a file.
   *
   * @param file its path, for messages
   * @throws RefusedException when it cannot be parsed
   */
  static List<ConfigSection> parse(String text, String file) {
    List<ConfigSection> sections = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    boolean open = false;
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.isBlank()) {
        open = false;
      } else if (!Character.isWhitespace(line.charAt(0))) {
        sections.add(header(line, file, number));
        if (!ids.add(sections.getLast().id())) {
          throw refused(file, number, "the section '" + sections.getLast().id() + "' occurs twice");
        }
        open = true;
      } else if (open) {
        setting(sections.getLast(), line.strip(), file, number);
      } else {
        throw refused(file, number, "a setting stands outside of a section");
      }
    }
    return sections;
  }

  private static ConfigSection header(String line, String file, int number) {
    int colon = line.indexOf(':');
    if (colon <= 0 || !Character.isLetter(line.charAt(0))) {
      throw refused(file, number, "a header 'type: name' is expected");
    }
    String id = line.substring(colon + 1).strip();
    return new ConfigSection(line.substring(0, colon).strip(), id, number, new HashMap<>());
  }

  private static void setting(ConfigSection section, String line, String file, int number) {
    String[] parts = line.split("\\s+", 2);
    Setting setting = new Setting(parts.length == 2 ? parts[1] : "", number);
    if (section.settings.put(parts[0], setting) != null) {
      throw refused(file, number, "'" + parts[0] + "' occurs twice");
    }
  }

  /** Returns the refusal to go on with a file that is wrong in one line. */
  static RefusedException refused(String file, int line, String why) {
    return new RefusedException(
        "cannot parse %s, line %s: %s; nothing was done; correct the file"
            .formatted(file, line, why));
  }
}
