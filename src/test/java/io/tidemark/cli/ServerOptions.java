package io.tidemark.cli;

import io.tidemark.collect.StoreFixture;
import java.util.ArrayList;
import java.util.List;

/** Command lines that find the server of a store where the tests keep it. */
final class ServerOptions {
  private ServerOptions() {}

  /** Returns {@code words} and the options that name the files of the server of {@code store}. */
  static List<String> with(StoreFixture store, String... words) {
    List<String> line = new ArrayList<>(List.of(words));
    line.add("--pbs-config=" + store.host.configuration());
    line.add("--pbs-run=" + store.host.run());
    line.add("--pbs-tasks=" + store.host.tasks());
    return line;
  }
}
