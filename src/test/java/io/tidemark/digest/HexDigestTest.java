package io.tidemark.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HexDigestTest {
  @Test
  void format_randomDigests_isThatOfTheJdk() {
    Random random = new Random(1);
    for (int i = 0; i < 2000; i++) {
      byte[] digest = new byte[32];
      random.nextBytes(digest);
      ByteBuffer words = ByteBuffer.wrap(digest);
      String formatted =
          HexDigest.format(words.getLong(), words.getLong(), words.getLong(), words.getLong());
      assertThat(formatted).isEqualTo(HexFormat.of().formatHex(digest));
    }
  }

  @Test
  void format_everyByte_isTwoLowerCaseDigits() {
    for (int b = 0; b < 256; b++) {
      String expected = HexFormat.of().toHexDigits((byte) b);
      assertThat(HexDigest.format((long) b << 56, b, 0, b)).startsWith(expected).endsWith(expected);
    }
  }

  @Test
  void write_inTheMiddleOfAnArray_leavesTheRestAlone() {
    byte[] into = new byte[70];
    HexDigest.write(into, 3, -1, -1, -1, -1);
    assertThat(into).startsWith(0, 0, 0, 'f').endsWith('f', 0, 0, 0);
  }

  @Test
  void prefix_everyDirectory_isFourDigits() {
    byte[] into = new byte[5];
    for (int prefix = 0; prefix < 65536; prefix++) {
      HexDigest.writePrefix(into, prefix);
      String expected = HexFormat.of().toHexDigits((short) prefix);
      assertThat(new String(into, 0, 4, StandardCharsets.US_ASCII)).isEqualTo(expected);
      if (prefix % 97 == 0) {
        assertThat(HexDigest.formatPrefix(prefix)).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void isHex_eachByteValueAtEachPlace_onlyTheSixteenDigits(int place) {
    for (int c = 0; c < 256; c++) {
      byte[] eight = "0123cdef".getBytes(StandardCharsets.US_ASCII);
      eight[place] = (byte) c;
      boolean digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
      assertThat(HexDigest.isHex(ByteBuffer.wrap(eight).getLong())).as("%d", c).isEqualTo(digit);
    }
  }

  @Test
  void value_ofEightDigits_isTheNumber() {
    Random random = new Random(2);
    for (int i = 0; i < 2000; i++) {
      long number = random.nextInt() & 0xFFFFFFFFL;
      byte[] digits = HexFormat.of().toHexDigits((int) number).getBytes(StandardCharsets.US_ASCII);
      assertThat(HexDigest.value(ByteBuffer.wrap(digits).getLong())).isEqualTo(number);
    }
  }
}
