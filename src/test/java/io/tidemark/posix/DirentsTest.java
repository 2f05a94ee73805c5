package io.tidemark.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirentsTest {
  @TempDir private Path directory;
  private final SystemCalls calls = Posix.open();

  @AfterEach
  void close() {
    calls.close();
  }

  private Map<String, Integer> list(Path where, Dirents dirents) {
    int fd =
        calls.openat(
            Open.AT_FDCWD, FileName.encode(where.toString()), Open.O_RDONLY | Open.O_DIRECTORY, 0);
    assertThat(fd).isNotNegative();
    Map<String, Integer> entries = new HashMap<>();
    while (calls.getdents64(fd, dirents) > 0) {
      while (dirents.next()) {
        assertThat(dirents.name()).hasSize(dirents.nameLength());
        assertThat(dirents.isDot()).isEqualTo(Set.of(".", "..").contains(dirents.name()));
        if (!dirents.isDot()) {
          entries.merge(dirents.name(), 1, Integer::sum);
        }
      }
    }
    calls.close(fd);
    return entries;
  }

  private static String name(int length) {
    return Character.toString('a' + length % 26).repeat(length);
  }

  /* The small buffer takes one long name at a time, so each call leaves bytes for the next. */
  @ParameterizedTest
  @ValueSource(ints = {512, 1000, 4096, Dirents.DEFAULT_BYTES})
  void names_ofEveryLength_areReadOnceEach(int bufferBytes) throws IOException {
    Set<String> names = new TreeSet<>();
    for (int length = 1; length <= 255; length++) {
      names.add(name(length));
      Files.createFile(directory.resolve(name(length)));
    }
    try (Dirents dirents = new Dirents(bufferBytes)) {
      for (int pass = 0; pass < 3; pass++) {
        Map<String, Integer> entries = list(directory, dirents);
        assertThat(entries.keySet()).isEqualTo(names);
        assertThat(entries.values()).containsOnly(1);
      }
    }
  }

  /* Long names first, then short ones into the same bytes. */
  @Test
  void names_shorterThanThoseBefore_haveNoStaleEnds() throws IOException {
    Path longer = Files.createDirectory(directory.resolve("longer"));
    for (int i = 0; i < 200; i++) {
      Files.createFile(longer.resolve("%03d".formatted(i) + "x".repeat(200)));
    }
    try (Dirents dirents = new Dirents(1 << 16)) {
      for (int length = 1; length <= 64; length++) {
        Path shorter = Files.createDirectory(directory.resolve("shorter" + length));
        Files.createFile(shorter.resolve("y".repeat(length)));
        list(longer, dirents);
        assertThat(list(shorter, dirents)).containsOnlyKeys("y".repeat(length));
      }
    }
  }

  @Test
  void entries_ofEachType_haveInodeTypeAndBytes() throws IOException {
    Path file = Files.createFile(directory.resolve("0123456789abcdef"));
    Files.createDirectory(directory.resolve("d"));
    Files.createSymbolicLink(directory.resolve("l"), Path.of("nowhere"));
    Map<String, Integer> types = new HashMap<>();
    int fd =
        calls.openat(Open.AT_FDCWD, FileName.encode(directory.toString()), Open.O_DIRECTORY, 0);
    try (Dirents dirents = new Dirents(4096)) {
      assertThat(dirents.capacity()).isEqualTo(4096);
      assertThat(calls.getdents64(fd, dirents)).isPositive();
      while (dirents.next()) {
        types.put(dirents.name(), dirents.type());
        if (dirents.name().equals("0123456789abcdef")) {
          assertThat(dirents.inode()).isEqualTo(Files.getAttribute(file, "unix:ino"));
          assertThat(dirents.nameByte(15)).isEqualTo((byte) 'f');
          assertThat(dirents.nameWord(8)).isEqualTo(0x3839_6162_6364_6566L);
        }
      }
      assertThat(dirents.next()).isFalse();
      assertThat(calls.getdents64(fd, dirents)).isZero();
      assertThat(dirents.next()).isFalse();
    }
    calls.close(fd);
    assertThat(types)
        .containsEntry("0123456789abcdef", Dirents.DT_REG)
        .containsEntry("d", Dirents.DT_DIR)
        .containsEntry("l", Dirents.DT_LNK)
        .containsEntry(".", Dirents.DT_DIR);
  }

  @Test
  void name_thatIsNoUtf8_canBeOpenedByWhatWasRead() throws IOException {
    byte[] odd = {'a', (byte) 0xff, (byte) 0xc3, 0};
    int parent =
        calls.openat(Open.AT_FDCWD, FileName.encode(directory.toString()), Open.O_DIRECTORY, 0);
    int made = calls.openat(parent, odd, Open.O_CREAT | Open.O_EXCL | Open.O_WRONLY, 0644);
    assertThat(made).isNotNegative();
    calls.close(made);
    try (Dirents dirents = new Dirents(4096)) {
      String name = list(directory, dirents).keySet().iterator().next();
      assertThat(FileName.isUtf8(name)).isFalse();
      assertThat(calls.unlinkat(parent, FileName.encode(name), 0)).isZero();
      assertThat(list(directory, dirents)).isEmpty();
    }
    calls.close(parent);
  }

  @Test
  void listing_ofAFile_failsWithItsErrno() throws IOException {
    Path file = Files.write(directory.resolve("file"), "x".getBytes(StandardCharsets.UTF_8));
    int fd = calls.openat(Open.AT_FDCWD, FileName.encode(file.toString()), Open.O_RDONLY, 0);
    try (Dirents dirents = new Dirents(4096)) {
      assertThat(calls.getdents64(fd, dirents)).isEqualTo(-Errno.ENOTDIR);
      assertThat(dirents.next()).isFalse();
    }
    calls.close(fd);
  }
}
