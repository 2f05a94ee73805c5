package io.tidemark.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Tells how a file system is mounted as far as access times are concerned. */
public final class MountOptions {
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
  private static final List<String> ATIME =
      List.of("noatime", "relatime", "strictatime", "lazytime", "nodiratime");

  private MountOptions() {}

  /** Tells whether a file system is mounted somewhere below {@code directory}, or may be. */
  static boolean isMountedBelow(String directory) {
    try {
      // White space and backslashes of a mount point are written in octal.
      String below =
          (Path.of(directory).toRealPath() + "/")
              .replace("\\", "\\134")
              .replace(" ", "\\040")
              .replace("\t", "\\011")
              .replace("\n", "\\012");
      return Files.readAllLines(MOUNTS, StandardCharsets.UTF_8).stream()
          .map(line -> line.split(" ", -1))
          .anyMatch(fields -> fields.length > 4 && fields[4].startsWith(below));
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * Returns the options that concern access times, such as {@code relatime}.
   *
   * @param device the device as {@code major:minor}
   */
  public static String atime(String device) {
    try {
      // Fields: id, parent, major:minor, root, mount point, options, tags ..., -, type, source, ...
      for (String line : Files.readAllLines(MOUNTS, StandardCharsets.ISO_8859_1)) {
        String[] fields = line.split(" ", -1);
        if (fields.length > 5 && fields[2].equals(device)) {
          String last = fields[fields.length - 1];
          List<String> found =
              Arrays.stream((fields[5] + "," + last).split(",", -1))
                  .filter(ATIME::contains)
                  .distinct()
                  .toList();
          return found.isEmpty() ? "strictatime" : String.join(",", found);
        }
      }
    } catch (IOException e) {
      return "in an unknown way";
    }
    return "in an unknown way";
  }
}
