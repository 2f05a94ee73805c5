package io.tidemark.collect;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes what others read at any moment. */
public final class ReportFile {
  private ReportFile() {}

  /**
   * Writes a text to a file, under a temporary name first, so that nobody reads half of it.
   *
   * @throws IOException when that fails; an older file is then still there
   */
  public static void write(Path file, String text) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path temporary = absolute.resolveSibling(absolute.getFileName() + ".tmp");
    Files.write(temporary, text.getBytes(StandardCharsets.UTF_8));
    Files.move(
        temporary, absolute, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
