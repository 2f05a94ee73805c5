package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.unchecked;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory in memory where there is one, for what is synced again and again. */
public final class MemoryDirectory implements AutoCloseable {
  private static final Path MEMORY = Path.of("/dev/shm");

  public final Path path;

  public MemoryDirectory() {
    try {
      path =
          Files.isWritable(MEMORY)
              ? Files.createTempDirectory(MEMORY, "tidemark-test")
              : Files.createTempDirectory("tidemark-test");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    unchecked(
        () -> {
          List<Path> paths;
          try (Stream<Path> found = Files.walk(path)) {
            paths = found.sorted(Comparator.reverseOrder()).toList();
          }
          for (Path each : paths) {
            Files.deleteIfExists(each);
          }
        });
  }
}
