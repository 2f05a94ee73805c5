package io.tidemark.store;

import io.tidemark.posix.FileSystemStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Asks the kernel how many bytes of metadata it can keep in memory for this process. */
final class SystemCacheSize {
  /*
   * What the machine has available, or less where a control group allows less. ZFS keeps metadata
   * in a cache of its own, of which the maximum is in its statistics.
   */
  private static final long UNKNOWN = 1L << 30;
  private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

  private SystemCacheSize() {}

  /** Returns the estimate for a file system of {@code type}, as {@code fstatfs} gives it. */
  static long bytes(long type) {
    if (type == FileSystemStatus.ZFS) {
      long maximum = number("/proc/spl/kstat/zfs/arcstats", "c_max", 2);
      if (maximum > 0) {
        return maximum;
      }
    }
    long available = number("/proc/meminfo", "MemAvailable:", 1) * 1024;
    long most = available > 0 ? available : UNKNOWN;
    for (String line : lines("/proc/self/cgroup")) {
      // hierarchy:controllers:path; the unified hierarchy has no controllers.
      String[] fields = line.split(":", 3);
      if (fields.length == 3 && fields[1].equals("memory")) {
        most = Math.min(most, limit("/sys/fs/cgroup/memory", fields[2], "memory.limit_in_bytes"));
      } else if (fields.length == 3 && fields[1].isEmpty()) {
        most = Math.min(most, limit("/sys/fs/cgroup", fields[2], "memory.max"));
      }
    }
    return most;
  }

  /* The limit of a group and of all groups around it. */
  private static long limit(String root, String group, String file) {
    long least = Long.MAX_VALUE;
    for (Path path = Path.of(group); path != null; path = path.getParent()) {
      List<String> lines = lines(root + path + "/" + file);
      if (!lines.isEmpty() && lines.get(0).matches("[0-9]{1,18}")) {
        least = Math.min(least, Long.parseLong(lines.get(0)));
      }
    }
    return least;
  }

  private static long number(String file, String name, int field) {
    for (String line : lines(file)) {
      String[] words = WHITE_SPACE.split(line.trim(), -1);
      if (words.length > field && words[0].equals(name)) {
        return Long.parseLong(words[field]);
      }
    }
    return 0;
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return List.of(); // not this kind of machine
    }
  }
}
