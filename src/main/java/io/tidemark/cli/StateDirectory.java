package io.tidemark.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Says where what is kept between two runs goes when nobody has named a place. */
final class StateDirectory {
  private static final Path SYSTEM = Path.of("/var/lib/tidemark");

  private StateDirectory() {}

  /** Returns the system's place when this user may write there, else the user's own. */
  static Path standard() {
    return choose(SYSTEM, System.getenv(), System.getProperty("user.home", "/"));
  }

  static Path choose(Path system, Map<String, String> environment, String home) {
    Path parent = system.getParent();
    if (Files.isWritable(system)
        || (!Files.exists(system) && parent != null && Files.isWritable(parent))) {
      return system;
    }
    String state = environment.getOrDefault("XDG_STATE_HOME", "");
    return state.startsWith("/")
        ? Path.of(state, "tidemark")
        : Path.of(home, ".local", "state", "tidemark");
  }
}
