package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "0,0",
    "1,1",
    "134217728,134217728",
    "128M,134217728",
    "128m,134217728",
    "2k,2048",
    "1G,1073741824",
    "1T,1099511627776",
    "8388607T,9223370937343148032"
  })
  void count_plainOrWithSuffix_isRead(String text, long expected) {
    assertThat(Quantity.count(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "k",
        "-1",
        "+1",
        "1.5",
        "1 k",
        "1kk",
        "1kB",
        "0x10",
        "8388608T",
        "9999999999999999999"
      })
  void count_anythingElse_isRefused(String text) {
    assertThatThrownBy(() -> Quantity.count(text)).isInstanceOf(TypeConversionException.class);
  }

  @ParameterizedTest
  @CsvSource({"90s,90", "24h5m,86700", "2d,172800", "1d1h1m1s,90061", "0s,0"})
  void duration_parts_areAdded(String text, long seconds) {
    assertThat(Quantity.duration(text)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "5x", "1m1h", "-1s", "1.5h"})
  void duration_anythingElse_isRefused(String text) {
    assertThatThrownBy(() -> Quantity.duration(text)).isInstanceOf(TypeConversionException.class);
  }

  @ParameterizedTest
  @CsvSource({"1445,1445", "24h5m,1445", "120s,2", "2d,2880", "999999999,999999999"})
  void minutes_plainOrDuration_areRead(String text, int expected) {
    assertThat(new Quantity.Minutes().convert(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"90s", "1h1s", "-5", "1e3"})
  void minutes_notWholeOrNoNumber_areRefused(String text) {
    assertThatThrownBy(() -> new Quantity.Minutes().convert(text))
        .isInstanceOf(TypeConversionException.class);
  }
}
