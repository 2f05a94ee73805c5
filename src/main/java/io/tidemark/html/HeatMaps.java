package io.tidemark.html;

import io.tidemark.collect.Report;
import io.tidemark.flush.MissingChunks;
import io.tidemark.report.DirectoryMap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** The chunk directories as squares of 256 by 256, one number a directory. */
final class HeatMaps {
  private final Report report;

  HeatMaps(Report report) {
    this.report = report;
  }

  List<Map<String, String>> all() {
    DirectoryMap directories = report.directories();
    int[] missing = new int[DirectoryMap.DIRECTORIES];
    for (MissingChunks.Missing chunk : report.missing()) {
      missing[Integer.parseInt(chunk.digest().substring(0, 4), 16)]++;
    }
    return List.of(
        map("files of chunks", "", directories::chunks),
        map("removed", "", directories::removed),
        map("missing", "", prefix -> missing[prefix]),
        map("longest listing", " \u00b5s", directories::listingMicros));
  }

  /* Four bytes a number, the lowest first, as the page reads them. */
  private static Map<String, String> map(String name, String unit, IntUnaryOperator numbers) {
    ByteBuffer bytes =
        ByteBuffer.allocate(DirectoryMap.DIRECTORIES * Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    List<Integer> used = new ArrayList<>();
    for (int prefix = 0; prefix < DirectoryMap.DIRECTORIES; prefix++) {
      int number = numbers.applyAsInt(prefix);
      bytes.putInt(number);
      if (number > 0) {
        used.add(number);
      }
    }
    used.sort(null);
    String range =
        used.isEmpty()
            ? "none"
            : String.format(
                Locale.ROOT,
                "%,d directories, median %,d%s, most %,d%s",
                used.size(),
                used.get(used.size() / 2),
                unit,
                used.getLast(),
                unit);
    return Map.of(
        "name",
        name,
        "unit",
        unit,
        "range",
        range,
        "data",
        used.isEmpty() ? "" : Base64.getEncoder().encodeToString(bytes.array()));
  }
}
