package io.tidemark.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1, 1 B",
    "1023, 1023 B",
    "1024, 1 KiB",
    "1025, 1.001 KiB",
    "1536, 1.5 KiB",
    "1048575, 1023.999 KiB",
    "1048576, 1 MiB",
    "1073741823, 1024 MiB",
    "1073741824, 1 GiB",
    "1610612736, 1.5 GiB",
    "1099511627776, 1 TiB",
    "37150370509881, 33.788 TiB",
    "1125899906842623, 1024 TiB",
    "1125899906842624, 1 PiB",
    "1152921504606846976, 1024 PiB",
    "9223372036854775807, 8192 PiB",
    // 2.0625 MiB and 1.03125 KiB lie in the middle of two thousandths, or just beside it
    "2162688, 2.063 MiB",
    "1056, 1.031 KiB",
    "4194304, 4 MiB",
    "102400, 100 KiB",
  })
  void bytes_formatted_unitFollowsBitsAndDecimalsAreShortest(long bytes, String expected) {
    assertThat(HumanBytes.format(bytes)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "1, 1s",
    "59, 59s",
    "60, 1m",
    "3599, 59m 59s",
    "3600, 1h",
    "86399, 23h 59m 59s",
    "86400, 1d",
    "86700, 1d 5m",
    "604799, 6d 23h 59m 59s",
    "604800, 1w",
    "2630015, 4w 2d 10h 33m 35s",
    "2630016, 1M",
    "31557599, 11M 4w 2d 9h 50m 23s",
    "31557600, 1y",
    "34187617, 1y 1M 1s",
  })
  void span_formatted_zeroPartsAreLeftOut(long seconds, String expected) {
    assertThat(Span.format(seconds)).isEqualTo(expected);
  }
}
