package io.tidemark.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.FileIdentity;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JournalTextTest {
  private static final Checkpoint CHECKPOINT =
      new Checkpoint(
          new Origin("a-b", "/store with\nodd \"name\"", -1, "ordered", 1, 2, 3),
          4,
          5,
          Checkpoint.Phase.SWEEP,
          new TouchClaim(6, 7, Long.MIN_VALUE),
          65536,
          Map.of("touched", Long.MAX_VALUE),
          List.of(
              new MarkedIndex(
                  "/\u00fc/\ud83d\ude00.fidx",
                  new FileIdentity(-2, 8, 9, 10, "00ff"),
                  11,
                  12,
                  13,
                  14,
                  15)),
          List.of(new MissingChunk("0".repeat(64), "/x.didx", 9)));

  @Test
  void journal_writtenAndRead_isTheSame() throws UnusableJournalException {
    assertThat(JournalText.parse(JournalText.format(CHECKPOINT))).isEqualTo(CHECKPOINT);
  }

  @Test
  void journal_cutAtAnyByte_isRefused() {
    byte[] whole = JournalText.format(CHECKPOINT);
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> JournalText.parse(cut))
          .as("%d bytes", length)
          .isInstanceOf(UnusableJournalException.class);
    }
  }

  @Test
  void journal_withAnyByteChanged_isRefused() {
    byte[] whole = JournalText.format(CHECKPOINT);
    for (int at = 0; at < whole.length; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= 1;
      assertThatThrownBy(() -> JournalText.parse(changed))
          .as("byte %d", at)
          .isInstanceOf(UnusableJournalException.class);
    }
  }

  @Test
  void journal_withZerosAtTheEnd_isRefused() {
    byte[] whole = JournalText.format(CHECKPOINT);
    assertThatThrownBy(() -> JournalText.parse(Arrays.copyOf(whole, whole.length + 512)))
        .hasMessage("it is torn");
  }

  @Test
  void journal_ofTheNextVersion_isRefused() {
    String text = new String(JournalText.format(CHECKPOINT), StandardCharsets.UTF_8);
    byte[] next =
        text.replaceFirst("tidemark-journal 1\n", "tidemark-journal 10\n")
            .getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> JournalText.parse(next))
        .hasMessage("it is of another version, 10 instead of 1");
  }
}
