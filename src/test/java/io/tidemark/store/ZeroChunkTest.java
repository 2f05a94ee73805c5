package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZeroChunkTest {
  private static final Path ZSTD = Path.of("/usr/bin/zstd");

  @TempDir private Path directory;

  @Test
  void header_isThatOfACompressedBlob() {
    byte[] blob = ZeroChunk.blob();
    assertThat(HexFormat.of().formatHex(blob, 0, 8)).isEqualTo("31b958426fb6a37f");
    CRC32 crc = new CRC32();
    crc.update(blob, 12, blob.length - 12);
    assertThat(ByteBuffer.wrap(blob).order(ByteOrder.LITTLE_ENDIAN).getInt(8))
        .isEqualTo((int) crc.getValue());
  }

  @Test
  void frame_parsedByHand_isTheContentThatTheNameSays() throws NoSuchAlgorithmException {
    byte[] content = decompress(ByteBuffer.wrap(frame()).order(ByteOrder.LITTLE_ENDIAN));
    assertThat(content).hasSize(4 << 20).containsOnly(0);
    assertThat(sha256(content)).isEqualTo(ZeroChunk.NAME);
    assertThat(ZeroChunk.NAME).startsWith(ZeroChunk.DIRECTORY);
  }

  @Test
  void frame_decompressedByZstd_isTheContentThatTheNameSays()
      throws IOException, NoSuchAlgorithmException {
    assumeTrue(Files.isExecutable(ZSTD), "needs zstd");
    Path file = Files.write(directory.resolve("zeros.zst"), frame());
    Process zstd = new ProcessBuilder(ZSTD.toString(), "-dc", file.toString()).start();
    try (InputStream out = zstd.getInputStream()) {
      assertThat(sha256(out.readAllBytes())).isEqualTo(ZeroChunk.NAME);
    }
    assertThat(zstd.onExit().join().exitValue()).isZero();
  }

  private static byte[] frame() {
    byte[] blob = ZeroChunk.blob();
    return Arrays.copyOfRange(blob, 12, blob.length);
  }

  /* Decompresses a single-segment frame of run length blocks, checking every field. */
  private static byte[] decompress(ByteBuffer in) {
    assertThat(in.getInt()).isEqualTo(0xFD2FB528);
    int descriptor = in.get() & 0xFF;
    assertThat(descriptor >> 6).as("bytes of content size: 4").isEqualTo(2);
    assertThat((descriptor >> 5) & 1).as("single segment").isEqualTo(1);
    assertThat(descriptor & 0x1F).as("unused, checksum, dictionary").isZero();
    int size = in.getInt();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    boolean last = false;
    while (!last) {
      int header = (in.get() & 0xFF) | ((in.get() & 0xFF) << 8) | ((in.get() & 0xFF) << 16);
      last = (header & 1) == 1;
      assertThat((header >> 1) & 3).as("type: run length").isEqualTo(1);
      int length = header >> 3;
      assertThat(length).isBetween(1, 128 << 10);
      byte[] run = new byte[length];
      Arrays.fill(run, in.get());
      out.writeBytes(run);
    }
    assertThat(in.hasRemaining()).isFalse();
    assertThat(out.size()).isEqualTo(size);
    return out.toByteArray();
  }

  private static String sha256(byte[] content) throws NoSuchAlgorithmException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
  }
}
