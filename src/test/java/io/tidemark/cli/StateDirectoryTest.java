package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirectoryTest {
  @TempDir private Path temporary;

  @Test
  void directory_writable_isTheSystems() {
    assertThat(choose(temporary, Map.of())).isEqualTo(temporary);
  }

  @Test
  void directory_absentBelowAWritableOne_isTheSystems() {
    Path system = temporary.resolve("tidemark");
    assertThat(choose(system, Map.of())).isEqualTo(system);
  }

  @Test
  void directory_notWritable_isTheUsers() {
    Path system = temporary.resolve("none/tidemark");
    assertThat(choose(system, Map.of("XDG_STATE_HOME", "/state")))
        .isEqualTo(Path.of("/state/tidemark"));
    assertThat(choose(system, Map.of())).isEqualTo(Path.of("/home/u/.local/state/tidemark"));
    assertThat(choose(system, Map.of("XDG_STATE_HOME", "relative")))
        .isEqualTo(Path.of("/home/u/.local/state/tidemark"));
  }

  private static Path choose(Path system, Map<String, String> environment) {
    return StateDirectory.choose(system, environment, "/home/u");
  }
}
