package io.tidemark.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FaultyCalls;
import io.tidemark.posix.Posix;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class IndexFileTest {
  private static final byte[] NO_CHECKSUM = new byte[32];
  private static final long CHUNK = IndexWriter.CHUNK_BYTES;

  @TempDir Path directory;

  private final FaultyCalls faults = new FaultyCalls();
  private SystemCalls posix = Posix.open();
  private Path fixed = Path.of("");
  private Path dynamic = Path.of("");

  @BeforeEach
  void names() {
    fixed = directory.resolve("disk.fidx");
    dynamic = directory.resolve("root.didx");
  }

  @AfterEach
  void close() {
    posix.close();
  }

  private static List<byte[]> digests(int count) {
    return IntStream.range(0, count).mapToObj(IndexWriter::digest).toList();
  }

  private record Content(long bytes, List<String> digests) {}

  private Content read(Path path) {
    byte[] block = new byte[IndexFile.BLOCK_BYTES];
    List<String> digests = new ArrayList<>();
    try (IndexFile file =
        IndexFile.open(faults.around(posix), path.toString(), block).orElseThrow()) {
      long bytes =
          file.read(
              block,
              slice -> {},
              (w0, w1, w2, w3) -> digests.add("%016x%016x%016x%016x".formatted(w0, w1, w2, w3)));
      assertThat(file.entries()).isEqualTo(digests.size());
      return new Content(bytes, digests);
    }
  }

  private void assertCorrupt(Path path, long offset, String what) {
    assertThatThrownBy(() -> read(path))
        .isInstanceOfSatisfying(
            CorruptIndexException.class,
            e -> {
              assertThat(e.path()).isEqualTo(path.toString());
              assertThat(e.offset()).isEqualTo(offset);
            })
        .hasMessage(
            "corrupt index file %s: %s; nothing was removed: restore the file, or forget the snapshot that holds it, and run again"
                .formatted(path, what));
  }

  private static byte[] fixedHeader(long imageBytes, long chunkBytes) {
    return IndexWriter.fixedHeader(imageBytes, chunkBytes, NO_CHECKSUM);
  }

  private static byte[] body(int entries, int entryBytes, int more) {
    byte[] body = new byte[entries * entryBytes + more];
    Arrays.fill(body, (byte) 7);
    return body;
  }

  private static List<String> hex(List<byte[]> digests) {
    return digests.stream().map(HexFormat.of()::formatHex).toList();
  }

  @Test
  void writer_twoDigests_writesTheBytesThatAnotherProgramWrites() throws Exception {
    IndexWriter.fixed(fixed, digests(2), CHUNK);
    IndexWriter.dynamic(dynamic, digests(2));
    assertThat(sha256(fixed))
        .isEqualTo("9ac3a3b967f1b8b4871864ba7188d4b47c391c5a5c1459c7be77b6892b2aa80b");
    assertThat(sha256(dynamic))
        .isEqualTo("4caf3fb9132101a97ad74d47d7b02faf8f92c6c3475900dc9c757ee21031e654");
  }

  private static String sha256(Path path) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(path));
    return HexFormat.of().formatHex(digest);
  }

  @Test
  void fixedIndex_severalBlocks_givesEveryDigestInOrder() {
    int count = IndexFile.BLOCK_BYTES / 32 * 2 + 17;
    IndexWriter.fixed(fixed, digests(count), 65536);
    assertThat(read(fixed)).isEqualTo(new Content(count * 65536L, hex(digests(count))));
  }

  @Test
  void dynamicIndex_severalBlocks_givesEveryDigestInOrder() {
    int count = IndexFile.BLOCK_BYTES / 40 * 2 + 17;
    IndexWriter.dynamic(dynamic, digests(count));
    long bytes = 1000L * count + (long) count * (count - 1) / 2;
    assertThat(read(dynamic)).isEqualTo(new Content(bytes, hex(digests(count))));
  }

  @Test
  void dynamicIndex_exactlyOneBlock_takesTheBytesFromItsLastEntry() {
    int count = IndexFile.BLOCK_BYTES / 40;
    IndexWriter.dynamic(dynamic, digests(count));
    assertThat(read(dynamic).bytes()).isEqualTo(1000L * count + (long) count * (count - 1) / 2);
  }

  @Test
  void fixedIndex_lastChunkPartial_countsIt() {
    IndexWriter.raw(fixed, fixedHeader(CHUNK + 1, CHUNK), body(2, 32, 0));
    assertThat(read(fixed).bytes()).isEqualTo(CHUNK + 1);
  }

  @Test
  void fixedIndex_shortReads_givesTheSame() {
    IndexWriter.fixed(fixed, digests(1000), CHUNK);
    posix = shortening(posix, 777);
    assertThat(read(fixed).digests()).isEqualTo(hex(digests(1000)));
  }

  private static SystemCalls shortening(SystemCalls calls, int most) {
    return (SystemCalls)
        Proxy.newProxyInstance(
            SystemCalls.class.getClassLoader(),
            new Class<?>[] {SystemCalls.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("pread")) {
                arguments[2] = Math.min((int) arguments[2], most);
              }
              return method.invoke(calls, arguments);
            });
  }

  @Test
  void open_noFile_isEmpty() {
    byte[] block = new byte[IndexFile.BLOCK_BYTES];
    assertThat(IndexFile.open(posix, fixed.toString(), block)).isEmpty();
  }

  @Test
  void open_openFails_throwsWithPathAndErrno() {
    IndexWriter.fixed(fixed, digests(1), CHUNK);
    faults.fail("openat", 1, Errno.EACCES);
    assertThatThrownBy(() -> read(fixed))
        .isInstanceOf(PosixException.class)
        .hasMessage("cannot open index file " + fixed + ": EACCES (permission denied)");
  }

  @Test
  void open_statxFails_throwsAndClosesTheFile() {
    IndexWriter.fixed(fixed, digests(1), CHUNK);
    faults.fail("statx", 1, Errno.EIO);
    assertThatThrownBy(() -> read(fixed))
        .isInstanceOf(PosixException.class)
        .hasMessage("cannot read index file " + fixed + ": EIO (input/output error)");
    assertThat(faults.count("close")).isEqualTo(1);
  }

  @Test
  void read_preadFailsInTheBody_throwsAndClosesTheFile() {
    IndexWriter.fixed(fixed, digests(1), CHUNK);
    faults.fail("pread", 2, Errno.ESTALE);
    assertThatThrownBy(() -> read(fixed))
        .isInstanceOf(PosixException.class)
        .hasMessage("cannot read index file " + fixed + ": ESTALE (stale file handle)");
    assertThat(faults.count("close")).isEqualTo(1);
  }

  @Test
  void read_fileShrinksMeanwhile_isCorrupt() throws IOException {
    IndexWriter.fixed(fixed, digests(40_000), CHUNK);
    byte[] block = new byte[IndexFile.BLOCK_BYTES];
    try (IndexFile file = IndexFile.open(posix, fixed.toString(), block).orElseThrow()) {
      try (var raw = new RandomAccessFile(fixed.toFile(), "rw")) {
        raw.setLength(4096 + 32 * 100 + 5);
      }
      List<Long> seen = new ArrayList<>();
      assertThatThrownBy(() -> file.read(block, n -> {}, (w0, w1, w2, w3) -> seen.add(w0)))
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining(
              fixed + ": file shrank while it was read at byte 7301: expected 1045275 more bytes");
      assertThat(seen).isEmpty();
    }
  }

  @Test
  void open_directory_isCorrupt() throws IOException {
    Files.createDirectory(fixed);
    assertCorrupt(fixed, 0, "not a file at byte 0: expected a regular file, found a directory");
  }

  @Test
  void open_pipe_isCorruptAndDoesNotWait() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", fixed.toString()).start().waitFor()).isZero();
    assertCorrupt(fixed, 0, "not a file at byte 0: expected a regular file, found a special file");
  }

  @Test
  void open_linkToAFile_readsTheFile() throws IOException {
    Path elsewhere = directory.resolve("elsewhere");
    IndexWriter.fixed(elsewhere, digests(3), CHUNK);
    Files.createSymbolicLink(fixed, elsewhere);
    assertThat(read(fixed).digests()).hasSize(3);
  }

  @Test
  void open_otherExtension_isCorrupt() {
    Path blob = directory.resolve("x.blob");
    IndexWriter.fixed(blob, digests(1), CHUNK);
    assertThatThrownBy(() -> read(blob)).hasMessageContaining("x.blob: unknown kind");
  }

  @Test
  void open_shorterThanAHeader_isCorrupt() {
    for (int size : new int[] {0, 24, 4095}) {
      IndexWriter.raw(fixed, Arrays.copyOf(fixedHeader(CHUNK, CHUNK), size));
      IndexWriter.raw(dynamic, new byte[size]);
      String what =
          "file is too small at byte %d: expected a header of 4096 bytes, found %d bytes"
              .formatted(size, size);
      assertCorrupt(fixed, size, what);
      assertCorrupt(dynamic, size, what);
    }
    IndexWriter.raw(fixed, new byte[1]);
    assertCorrupt(
        fixed, 1, "file is too small at byte 1: expected a header of 4096 bytes, found 1 byte");
  }

  @Test
  void open_wrongMagic_isCorrupt() {
    byte[] header = fixedHeader(CHUNK, CHUNK);
    header[7] ^= 1;
    IndexWriter.raw(fixed, header, body(1, 32, 0));
    assertCorrupt(
        fixed,
        0,
        "wrong magic number at byte 0: expected 2f7f41ed91fd0fcd (fixed index), found"
            + " 2f7f41ed91fd0fcc");
  }

  @Test
  void open_magicOfTheOtherKind_isCorruptAndNamesIt() {
    IndexWriter.raw(fixed, IndexWriter.dynamicHeader(NO_CHECKSUM), body(1, 40, 0));
    assertCorrupt(
        fixed,
        0,
        "wrong magic number at byte 0: expected 2f7f41ed91fd0fcd (fixed index), found"
            + " 1c914ea519bab3cd (dynamic index)");
    IndexWriter.raw(dynamic, fixedHeader(CHUNK, CHUNK), body(1, 32, 0));
    assertCorrupt(
        dynamic,
        0,
        "wrong magic number at byte 0: expected 1c914ea519bab3cd (dynamic index), found"
            + " 2f7f41ed91fd0fcd (fixed index)");
  }

  @Test
  void open_chunkSizeNoPowerOfTwo_isCorrupt() {
    for (long size : new long[] {0, 3, CHUNK + 1, -1}) {
      IndexWriter.raw(fixed, fixedHeader(CHUNK, size), body(1, 32, 0));
      assertCorrupt(
          fixed,
          72,
          "bad chunk size at byte 72: expected a power of two, found "
              + Long.toUnsignedString(size));
    }
  }

  @Test
  void open_headerOnlyWithSize_isCorrupt() {
    IndexWriter.raw(fixed, fixedHeader(CHUNK, CHUNK));
    assertCorrupt(fixed, 4096, size(4096, "1", "4194304", "4194304", "0 bytes, room for 0"));
  }

  @Test
  void open_fixedBodyOfAnotherLength_isCorrupt() {
    IndexWriter.raw(fixed, fixedHeader(3 * CHUNK, CHUNK), body(2, 32, 17));
    assertCorrupt(fixed, 4177, size(4177, "3", "12582912", "4194304", "81 bytes, room for 2"));
    IndexWriter.raw(fixed, fixedHeader(3 * CHUNK, CHUNK), body(2, 32, 0));
    assertCorrupt(fixed, 4160, size(4160, "3", "12582912", "4194304", "64 bytes, room for 2"));
    IndexWriter.raw(fixed, fixedHeader(3 * CHUNK, CHUNK), body(4, 32, 0));
    assertCorrupt(fixed, 4224, size(4224, "3", "12582912", "4194304", "128 bytes, room for 4"));
    IndexWriter.raw(fixed, fixedHeader(3 * CHUNK, CHUNK), body(3, 32, 1));
    assertCorrupt(fixed, 4193, size(4193, "3", "12582912", "4194304", "97 bytes, room for 3"));
  }

  private static String size(long at, String entries, String image, String chunk, String found) {
    return "unexpected file size at byte %d: expected %s digests of 32 bytes after the header (image of %s bytes, chunks of %s), found %s"
        .formatted(at, entries, image, chunk, found);
  }

  @Test
  void open_sizesThatOverflow_areCorrupt() {
    IndexWriter.raw(fixed, fixedHeader(-1, 1), body(1, 32, 0));
    String most = "18446744073709551615";
    assertCorrupt(fixed, 4128, size(4128, most, most, "1", "32 bytes, room for 1"));
    /* 2^59 digests have 2^64 bytes: as a product that is nothing, the length of this body. */
    IndexWriter.raw(fixed, fixedHeader(1L << 59, 1));
    String digests = "576460752303423488";
    assertCorrupt(fixed, 4096, size(4096, digests, digests, "1", "0 bytes, room for 0"));
    IndexWriter.raw(fixed, fixedHeader(-1, Long.MIN_VALUE), body(2, 32, 0));
    assertCorrupt(
        fixed,
        64,
        "absurd image size at byte 64: expected less than 2^63, found 18446744073709551615");
    IndexWriter.raw(fixed, fixedHeader(CHUNK, Long.MIN_VALUE), body(1, 32, 0));
    assertCorrupt(
        fixed,
        72,
        "absurd chunk size at byte 72: expected less than 2^63, found 9223372036854775808");
  }

  @Test
  void open_noDigests_isCorrupt() {
    IndexWriter.raw(fixed, fixedHeader(0, CHUNK));
    assertCorrupt(fixed, 4096, "no digest at byte 4096: expected at least one, found none");
    IndexWriter.raw(dynamic, IndexWriter.dynamicHeader(NO_CHECKSUM));
    assertCorrupt(dynamic, 4096, "no entry at byte 4096: expected at least one, found none");
  }

  @Test
  void open_dynamicBodyNoWholeEntries_isCorrupt() {
    IndexWriter.raw(dynamic, IndexWriter.dynamicHeader(NO_CHECKSUM), body(2, 40, 39));
    assertCorrupt(
        dynamic,
        4215,
        "unexpected file size at byte 4215: expected entries of 40 bytes after the header, found"
            + " 119 bytes, 39 more than whole entries");
  }

  @Test
  void read_absurdEndOffset_isCorrupt() {
    ByteBuffer entries = ByteBuffer.wrap(body(2, 40, 0)).order(ByteOrder.LITTLE_ENDIAN);
    entries.putLong(40, -1);
    IndexWriter.raw(dynamic, IndexWriter.dynamicHeader(NO_CHECKSUM), entries.array());
    assertCorrupt(
        dynamic,
        4136,
        "absurd end offset at byte 4136: expected less than 2^63, found 18446744073709551615");
  }

  @Test
  void read_zeroDigest_isCorrupt() {
    IndexWriter.raw(fixed, fixedHeader(3 * CHUNK, CHUNK), body(2, 32, 0), new byte[32]);
    assertCorrupt(fixed, 4160, "hole at byte 4160: expected a digest, found 32 zero bytes");
    byte[] entry = new byte[40];
    entry[0] = 1;
    IndexWriter.raw(dynamic, IndexWriter.dynamicHeader(NO_CHECKSUM), body(1, 40, 0), entry);
    assertCorrupt(dynamic, 4144, "hole at byte 4144: expected a digest, found 32 zero bytes");
  }

  @Test
  void open_sparseTerabyte_isCorruptAtOnce() throws IOException {
    try (var file = new RandomAccessFile(fixed.toFile(), "rw")) {
      file.setLength(1L << 40);
    }
    assertThatThrownBy(() -> read(fixed)).hasMessageContaining("wrong magic number at byte 0");
    try (var file = new RandomAccessFile(fixed.toFile(), "rw")) {
      long entries = ((1L << 40) - 4096) / 32;
      file.write(fixedHeader(entries * CHUNK, CHUNK));
    }
    assertThatThrownBy(() -> read(fixed)).hasMessageContaining("hole at byte 4096");
  }

  @Test
  void read_beyondTwoGibibytes_givesTheLastDigest() throws IOException {
    long entries = (1L << 31) / 32 + 12;
    byte[] filler = body(IndexFile.BLOCK_BYTES / 32, 32, 0);
    posix = filling(posix, filler, 4096 + (entries - 1) * 32);
    try (var file = new RandomAccessFile(fixed.toFile(), "rw")) {
      file.write(fixedHeader(entries * CHUNK, CHUNK));
      file.seek(4096 + (entries - 1) * 32);
      file.write(IndexWriter.digest(5));
    }
    byte[] block = new byte[IndexFile.BLOCK_BYTES];
    long[] last = new long[2];
    try (IndexFile file = IndexFile.open(posix, fixed.toString(), block).orElseThrow()) {
      file.read(
          block,
          n -> {},
          (w0, w1, w2, w3) -> {
            last[0] = w0;
            last[1]++;
          });
    }
    long expected = ByteBuffer.wrap(IndexWriter.digest(5)).getLong();
    assertThat(last).containsExactly(expected, entries);
  }

  /* Stands in for 2 GiB of real digests: blocks before the last digest come from memory. */
  private static SystemCalls filling(SystemCalls calls, byte[] filler, long real) {
    return (SystemCalls)
        Proxy.newProxyInstance(
            SystemCalls.class.getClassLoader(),
            new Class<?>[] {SystemCalls.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("pread")) {
                long at = (long) arguments[3];
                int length = (int) arguments[2];
                if (at >= 4096 && at + length <= real) {
                  System.arraycopy(filler, 0, arguments[1], 0, length);
                  return length;
                }
                int read = (int) method.invoke(calls, arguments);
                if (at >= 4096) {
                  int zeros = (int) (real - at);
                  System.arraycopy(filler, 0, arguments[1], 0, zeros);
                }
                return read;
              }
              return method.invoke(calls, arguments);
            });
  }
}
