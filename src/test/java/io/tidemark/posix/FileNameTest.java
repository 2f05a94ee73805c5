package io.tidemark.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileNameTest {
  private static void assertRoundTrip(byte[] name) {
    String decoded = FileName.decode(name, name.length);
    byte[] encoded = FileName.encode(decoded);
    assertThat(encoded).hasSize(name.length + 1).endsWith((byte) 0);
    assertThat(Arrays.copyOf(encoded, name.length)).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "index.fidx", "\u00fcber", "\u65e5\u672c", "\ud83d\udcbe"})
  void name_inUtf8_isThatString(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    assertThat(FileName.decode(bytes, bytes.length)).isEqualTo(name);
    assertThat(FileName.isUtf8(name)).isTrue();
    assertRoundTrip(bytes);
  }

  @Test
  void name_everySingleByte_comesBack() {
    for (int b = 1; b < 256; b++) {
      assertRoundTrip(new byte[] {(byte) b});
      assertRoundTrip(new byte[] {'a', (byte) b, 'z'});
    }
  }

  @Test
  void name_everyPairOfHighBytes_comesBack() {
    for (int first = 0x80; first < 256; first++) {
      for (int second = 0x80; second < 256; second++) {
        assertRoundTrip(new byte[] {(byte) first, (byte) second});
      }
    }
  }

  /* Cut sequences, surrogates and overlong forms as UTF-8, beside characters of four bytes. */
  @Test
  void name_randomBytes_comesBack() {
    Random random = new Random(3);
    byte[] likely = {
      (byte) 0xed,
      (byte) 0xa0,
      (byte) 0x80,
      (byte) 0xf0,
      (byte) 0x9f,
      (byte) 0x92,
      (byte) 0xbe,
      (byte) 0xc0,
      'x'
    };
    for (int i = 0; i < 20_000; i++) {
      byte[] name = new byte[1 + random.nextInt(12)];
      for (int j = 0; j < name.length; j++) {
        name[j] =
            random.nextBoolean()
                ? likely[random.nextInt(likely.length)]
                : (byte) (1 + random.nextInt(255));
      }
      assertRoundTrip(name);
    }
  }

  @Test
  void name_notUtf8_saysSoAndKeepsTheRest() {
    String name = FileName.decode(new byte[] {'a', (byte) 0xff, 'b'}, 3);
    assertThat(name).isEqualTo("a\udcffb");
    assertThat(FileName.isUtf8(name)).isFalse();
  }

  @Test
  void name_onlyPartOfTheArray_restIsIgnored() {
    assertThat(FileName.decode(new byte[] {'a', 'b', 'c'}, 2)).isEqualTo("ab");
  }
}
