package io.tidemark.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** A small but valid datastore in a temporary directory, which is deleted when closed. */
final class DemoStore implements AutoCloseable {
  private static final long PLAIN_BLOB = 0x42ab3807be8370a1L;
  private static final long FIXED_INDEX = 0x2f7f41ed91fd0fcdL;
  private static final int CHUNK_SIZE = 4 << 20;
  private static final int CHUNKS_A_SNAPSHOT = 300;
  private static final int SNAPSHOTS = 4;

  private final Path root;
  private final Random random = new Random(1);
  private final List<Path> used = new ArrayList<>();
  private final List<Path> old = new ArrayList<>();
  private final List<Path> young = new ArrayList<>();

  private DemoStore(Path root) {
    this.root = root;
  }

  static DemoStore make(Path folder) throws IOException {
    DemoStore store = new DemoStore(folder);
    store.fill();
    return store;
  }

  private void fill() throws IOException {
    Files.createDirectories(root.resolve(".chunks/bb9f"));
    Files.createFile(root.resolve(".lock"));
    List<byte[]> image = new ArrayList<>();
    for (int i = 0; i < CHUNKS_A_SNAPSHOT; i++) {
      image.add(chunk(used, Duration.ofDays(30)));
    }
    for (int snapshot = 0; snapshot < SNAPSHOTS; snapshot++) {
      for (int change = 0; snapshot > 0 && change < CHUNKS_A_SNAPSHOT / 10; change++) {
        image.set((snapshot * 37 + change * 7) % image.size(), chunk(used, Duration.ofDays(9)));
      }
      index(Instant.now().minus(Duration.ofDays(SNAPSHOTS - snapshot)), image);
    }
    for (int i = 0; i < CHUNKS_A_SNAPSHOT / 3; i++) {
      chunk(old, Duration.ofDays(3));
      if (i % 4 == 0) {
        chunk(young, Duration.ofHours(3));
      }
    }
  }

  private byte[] chunk(List<Path> list, Duration age) throws IOException {
    byte[] payload = new byte[32];
    random.nextBytes(payload);
    byte[] digest = sha256(payload);
    String name = HexFormat.of().formatHex(digest);
    Path file = root.resolve(".chunks").resolve(name.substring(0, 4)).resolve(name);
    Files.createDirectories(file.getParent());
    CRC32 crc = new CRC32();
    crc.update(payload);
    ByteBuffer blob = ByteBuffer.allocate(12 + payload.length);
    blob.putLong(PLAIN_BLOB).order(ByteOrder.LITTLE_ENDIAN).putInt((int) crc.getValue());
    Files.write(file, blob.put(payload).array());
    FileTime then = FileTime.from(Instant.now().minus(age));
    Files.setAttribute(file, "lastAccessTime", then);
    list.add(file);
    return digest;
  }

  private void index(Instant time, List<byte[]> digests) throws IOException {
    Path folder = root.resolve("vm/100/" + time.truncatedTo(ChronoUnit.SECONDS));
    Files.createDirectories(folder);
    ByteBuffer file = ByteBuffer.allocate(4096 + 32 * digests.size());
    for (int i = 0; i < digests.size(); i++) {
      file.put(4096 + 32 * i, digests.get(i));
    }
    byte[] all = new byte[32 * digests.size()];
    file.get(4096, all);
    byte[] uuid = new byte[16];
    random.nextBytes(uuid);
    file.putLong(FIXED_INDEX).put(uuid).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(time.getEpochSecond()).put(sha256(all));
    file.putLong((long) digests.size() * CHUNK_SIZE).putLong(CHUNK_SIZE);
    Files.write(folder.resolve("drive-scsi0.img.fidx"), file.array());
  }

  private static byte[] sha256(byte[] data) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(data);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java platform has it
    }
  }

  Path path() {
    return root;
  }

  int snapshots() {
    return SNAPSHOTS;
  }

  int used() {
    return used.size();
  }

  int old() {
    return old.size();
  }

  int young() {
    return young.size();
  }

  /** Tells whether just the old unused chunks are gone. */
  boolean isCollected() {
    return used.stream().allMatch(Files::exists)
        && young.stream().allMatch(Files::exists)
        && old.stream().noneMatch(Files::exists);
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(root)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.delete(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete the sample store " + root, e);
    }
  }
}
