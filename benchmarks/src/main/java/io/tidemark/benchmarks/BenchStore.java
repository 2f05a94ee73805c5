package io.tidemark.benchmarks;

import io.tidemark.digest.HexDigest;
import io.tidemark.store.PbsHost;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;

/** A small datastore in a directory of its own, which is removed in the end. */
final class BenchStore implements AutoCloseable {
  /* The formats are described in the engine's readers, FixedIndex and DynamicIndex. */
  private static final long FIXED_MAGIC = 0x2f7f41ed91fd0fcdL;
  private static final long DYNAMIC_MAGIC = 0x1c914ea519bab3cdL;
  private static final int HEADER_BYTES = 4096;
  private static final long CHUNK_BYTES = 4L << 20;

  private final Path directory;
  private final Path root;

  BenchStore() throws IOException {
    String parent = System.getProperty("bench.dir", System.getProperty("java.io.tmpdir"));
    directory = Files.createTempDirectory(Path.of(parent), "tidemark-bench-");
    root = Files.createDirectories(directory.resolve("store"));
    Files.createFile(root.resolve(".lock"));
    Files.createDirectories(root.resolve(".chunks"));
  }

  /** Returns the datastore's path. */
  String path() {
    return root.toString();
  }

  /** Returns a host on which no server runs. */
  PbsHost host() {
    return new PbsHost(
        directory.resolve("datastore.cfg").toString(),
        directory.resolve("run").toString(),
        directory.resolve("tasks").toString());
  }

  Path chunk(Digests digests, int i) {
    String name =
        HexDigest.format(
            digests.word(i, 0), digests.word(i, 1), digests.word(i, 2), digests.word(i, 3));
    return root.resolve(".chunks").resolve(name.substring(0, 4)).resolve(name);
  }

  /** Makes the chunks, all of the same age, with nothing in them. */
  void chunks(Digests digests, Duration age) throws IOException {
    FileTime time = FileTime.from(Instant.now().minus(age));
    for (int i = 0; i < digests.size; i++) {
      Path file = chunk(digests, i);
      Files.createDirectories(file.getParent());
      Files.createFile(file);
      Files.getFileAttributeView(file, BasicFileAttributeView.class).setTimes(time, time, null);
    }
  }

  /** Writes an index file that requires the digests in their order, as a snapshot of its own. */
  void index(String snapshot, String extension, Digests digests) throws IOException {
    boolean fixed = extension.equals("fidx");
    int stride = fixed ? 32 : 40;
    ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + digests.size * stride);
    bytes.putLong(0, fixed ? FIXED_MAGIC : DYNAMIC_MAGIC);
    if (fixed) {
      bytes.order(ByteOrder.LITTLE_ENDIAN).putLong(64, digests.size * CHUNK_BYTES);
      bytes.putLong(72, CHUNK_BYTES);
    }
    for (int i = 0; i < digests.size; i++) {
      int at = HEADER_BYTES + i * stride;
      if (!fixed) {
        bytes.order(ByteOrder.LITTLE_ENDIAN).putLong(at, (i + 1) * CHUNK_BYTES);
      }
      bytes.order(ByteOrder.BIG_ENDIAN).position(at + stride - 32);
      bytes.asLongBuffer().put(digests.words, i * 4, 4);
    }
    Path folder = Files.createDirectories(root.resolve("vm").resolve("100").resolve(snapshot));
    Files.write(folder.resolve("disk." + extension), bytes.array());
  }

  @Override
  public void close() throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException failure)
              throws IOException {
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
