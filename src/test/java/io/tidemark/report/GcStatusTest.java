package io.tidemark.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.report.GcStatus.CacheStats;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class GcStatusTest {
  private static final GcStatus FULL =
      new GcStatus(
          3,
          1_395_864_371_200L,
          133_143_986_176L,
          70_000,
          1_610_612_736,
          400,
          1536,
          2,
          1,
          4,
          new CacheStats(8108, 1892));

  private static final GcStatus EMPTY = new GcStatus(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, CacheStats.NONE);

  @Test
  void json_allFields_oneLineInTheServersOrder() {
    assertThat(FULL.toJson())
        .isEqualTo(
            "{\"upid\":null,\"index-file-count\":3,\"index-data-bytes\":1395864371200,"
                + "\"disk-bytes\":133143986176,\"disk-chunks\":70000,\"removed-bytes\":1610612736,"
                + "\"removed-chunks\":400,\"pending-bytes\":1536,\"pending-chunks\":2,"
                + "\"removed-bad\":1,\"still-bad\":4,"
                + "\"cache-stats\":{\"hits\":8108,\"misses\":1892}}");
  }

  @Test
  void json_cacheOff_zerosAreThere() {
    assertThat(EMPTY.toJson()).endsWith("\"cache-stats\":{\"hits\":0,\"misses\":0}}");
  }

  @Test
  void fields_noTaskOfTheServer_taskIdIsThereAndNull() {
    assertThat(FULL.fields()).containsEntry("upid", null).containsEntry("disk-chunks", 70_000L);
  }

  @Test
  void summary_allLines_inOrder() {
    assertThat(GcSummary.lines(FULL))
        .containsExactly(
            "Chunk cache: hits 8108, misses 1892 (hit ratio 81.08%)",
            "Removed garbage: 1.5 GiB",
            "Removed chunks: 400",
            "Pending removals: 1.5 KiB (in 2 chunks)",
            "Removed bad chunks: 1",
            "Leftover bad chunks: 4",
            "Original data usage: 1.27 TiB",
            "On-Disk usage: 124 GiB (9.54%)",
            "On-Disk chunks: 70000",
            "Deduplication factor: 10.48",
            "Average chunk size: 1.814 MiB");
  }

  @Test
  void summary_emptyStore_linesThatSayNothingAreLeftOut() {
    assertThat(GcSummary.lines(EMPTY))
        .containsExactly(
            "Removed garbage: 0 B",
            "Removed chunks: 0",
            "Original data usage: 0 B",
            "On-Disk chunks: 0",
            "Deduplication factor: 1.00");
  }

  @Test
  void summary_localeWithComma_pointIsWritten() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(GcSummary.lines(FULL)).contains("Deduplication factor: 10.48");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void summary_localeWithOtherDigits_latinDigitsAreWritten() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertThat(GcSummary.lines(FULL)).contains("Pending removals: 1.5 KiB (in 2 chunks)");
    } finally {
      Locale.setDefault(before);
    }
  }
}
