package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.unchecked;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.collect.StoreModel.Place;
import io.tidemark.index.IndexWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A small store full of odd things, the same for the same seed, with a model of it. */
final class RandomStore implements AutoCloseable {
  private static final List<String> DIRECTORIES =
      List.of("0000", "00ff", "7fff", "8000", "bb9f", "fffe", "ffff");

  /* Each begins with the digest. */
  private static final List<String> FOREIGN =
      List.of(".tmp_aB3xY9", ".10.bad", ".a.bad", ".0.BAD", ".0.bad2", ".usin", ".tidemarkx", "0");

  private static final List<String> NAMESPACES =
      List.of("", "", "ns/a/", "ns/a/ns/b/", "ns/Z_.9/ns/c-d/ns/e/");

  private static final List<String> GROUPS = List.of("vm/100", "vm/a.b-c", "ct/7", "host/_x");
  private static final List<String> TIMES =
      List.of("2024-02-29T23:59:59Z", "2025-12-31T00:00:00Z", "2026-01-01T12:34:56Z");

  private static final List<String> EXPECTED =
      List.of("disk%d.img.fidx", "root%d.pxar.didx", ".hidden%d.didx", "%d.fidx");

  private static final List<String> STRANGE =
      List.of(
          "stray%d.fidx",
          "vm/stray%d.didx",
          "vm/100/stray%d.fidx",
          "vm/-bad-/2026-01-01T12:34:56Z/disk%d.fidx",
          "vm/100/2026-01-01T12:34:56Z/deeper/disk%d.didx",
          "vm/100/2026-01-01/disk%d.fidx",
          "lxc/1/2026-01-01T12:34:56Z/disk%d.fidx",
          "ns/stray%d.fidx",
          "lost+found/%d.didx");

  private static final List<String> HIDDEN =
      List.of(
          ".trash/vm/1/2026-01-01T12:34:56Z/disk%d.fidx",
          "vm/.old/disk%d.fidx",
          "vm/100/.stray%d.fidx",
          "vm/100/2026-01-01T12:34:56Z/disk%d.tmp_fidx",
          "ct/7/2026-01-01T12:34:56Z/disk%d.fidx.tmp",
          "host/_x/2026-01-01T12:34:56Z/disk%d.blob");

  final StoreFixture fixture;
  final StoreModel model = new StoreModel();
  private final Path outside;
  private final Random random;
  private final List<Chunk> chunks = new ArrayList<>();
  private final List<Chunk> pool = new ArrayList<>();
  private int indexes;

  RandomStore(Path temporary, long seed) {
    fixture = new StoreFixture(temporary);
    outside = temporary.resolve("outside");
    random = new Random(seed);
    int count = 1 + random.nextInt(20);
    for (int i = 0; i < count; i++) {
      chunks.add(digest());
    }
    chunks.forEach(this::files);
    int references = 1 + random.nextInt(count);
    for (int i = 0; i < references; i++) {
      pool.add(pick(chunks));
    }
    index("vm/100/2026-01-01T12:34:56Z/first.fidx", Place.EXPECTED);
    int more = random.nextInt(7);
    for (int i = 0; i < more; i++) {
      switch (random.nextInt(8)) {
        case 0 -> index(pick(STRANGE).formatted(++indexes), Place.STRANGE);
        case 1 -> index(pick(HIDDEN).formatted(++indexes), Place.HIDDEN);
        case 2 -> link();
        default -> index(expected(), Place.EXPECTED);
      }
    }
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private boolean percent(int chance) {
    return random.nextInt(100) < chance;
  }

  /* Digests that share a directory, or most of their words, and the ends; 0 would be a hole. */
  private Chunk digest() {
    if (percent(3)) {
      return new Chunk(random.nextBoolean() ? "0".repeat(63) + "1" : "f".repeat(64));
    }
    if (percent(15) && !chunks.isEmpty()) {
      String other = pick(chunks).digest();
      int kept = 16 * (1 + random.nextInt(3));
      return new Chunk(other.substring(0, kept) + hex(64 - kept));
    }
    return new Chunk(pick(DIRECTORIES) + hex(60));
  }

  private String hex(int digits) {
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < digits; i++) {
      hex.append(Character.forDigit(random.nextInt(16), 16));
    }
    return hex.toString();
  }

  private void files(Chunk chunk) {
    String directory = chunk.directory();
    String digest = chunk.digest();
    int kind = random.nextInt(20);
    if (kind == 0) {
      other(directory, digest, path -> Files.createSymbolicLink(path, Path.of("nowhere")));
    } else if (kind == 1) {
      other(directory, digest, Files::createDirectory);
    } else if (kind < 16) {
      file(directory, digest);
    }
    for (int i = 0; i < 10; i++) {
      if (percent(i == 0 || i == 9 ? 15 : 4)) {
        file(directory, digest + "." + i + ".bad");
      }
    }
    if (percent(8)) {
      file(directory, digest + ".using");
    }
    if (percent(12) && kind > 1) {
      file(directory, digest + ".tidemark");
    }
    if (percent(15)) {
      file(directory, digest + pick(FOREIGN));
    }
    if (percent(5)) {
      file(directory, digest.substring(1));
      file(directory, digest.substring(0, 40) + "X" + digest.substring(41));
      file(directory, "\u00fcber-" + digest.substring(8));
    }
    if (percent(8)) {
      file(pick(DIRECTORIES), digest + (percent(30) ? ".tidemark" : ""));
    }
    if (percent(4)) {
      other(directory, digest + ".1.bad", Files::createDirectory);
    }
  }

  private void file(String directory, String name) {
    String path = directory + "/" + name;
    if (model.exists(path)) {
      return;
    }
    Instant atime = atime();
    int bytes = percent(20) ? 0 : random.nextInt(300);
    fixture.file(directory, name, atime, bytes);
    model.file(path, atime.getEpochSecond(), bytes);
  }

  private interface Maker {
    void make(Path path) throws java.io.IOException;
  }

  private void other(String directory, String name, Maker maker) {
    String path = directory + "/" + name;
    if (!model.exists(path)) {
      fixture.directory(directory);
      unchecked(() -> maker.make(fixture.base.resolve(".chunks").resolve(path)));
      model.other(path);
    }
  }

  /* Around the two moments that decide, and far from them. */
  private Instant atime() {
    Instant start = fixture.now;
    Instant minimum = start.minusSeconds(86_700);
    return switch (random.nextInt(10)) {
      case 0 -> minimum.minusNanos(1);
      case 1 -> minimum;
      case 2 -> start.minusNanos(1);
      case 3 -> start;
      case 4 -> start.plusSeconds(3600);
      case 5 -> Instant.EPOCH.plusSeconds(1);
      case 6 -> start.minusSeconds(random.nextInt(86_700));
      default -> minimum.minusSeconds(random.nextInt(10_000_000)).minusNanos(1);
    };
  }

  private String expected() {
    String snapshot = pick(NAMESPACES) + pick(GROUPS) + "/" + pick(TIMES) + "/";
    if (percent(50)) {
      IndexWriter.raw(fixture.base.resolve(snapshot + "index.json.blob"), new byte[0]);
    }
    return snapshot + pick(EXPECTED).formatted(++indexes);
  }

  private void index(String name, Place place) {
    write(fixture.base.resolve(name), place);
  }

  /* PBS lists a link among the index files and opens what it leads to. */
  private void link() {
    Path target = outside.resolve("linked%d.fidx".formatted(++indexes));
    write(target, Place.STRANGE);
    Path link = fixture.base.resolve("vm/100/2026-01-01T12:34:56Z/link%d.fidx".formatted(indexes));
    unchecked(
        () -> {
          Files.createDirectories(link.getParent());
          Files.createSymbolicLink(link, target);
        });
  }

  private void write(Path path, Place place) {
    int count = 1 + random.nextInt(30);
    List<Chunk> digests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      digests.add(pick(pool));
    }
    List<byte[]> bytes = digests.stream().map(Chunk::bytes).toList();
    long image;
    if (path.toString().endsWith(".didx")) {
      IndexWriter.dynamic(path, bytes);
      image = count * 1000L + (count - 1) * count / 2;
    } else {
      long size = 65_536L << random.nextInt(7);
      image = (count - 1) * size + 1 + random.nextInt((int) size);
      ByteBuffer body = ByteBuffer.allocate(32 * count);
      bytes.forEach(body::put);
      IndexWriter.raw(path, IndexWriter.fixedHeader(image, size, new byte[32]), body.array());
    }
    model.index(place, digests.stream().map(Chunk::digest).toList(), image);
  }

  /** Returns how many references all index files have together. */
  int references() {
    return (int) model.collect(fixture.now.getEpochSecond(), 86_700).references;
  }

  StoreModel.Expectation expectation() {
    return model.collect(fixture.now.getEpochSecond(), 86_700);
  }

  @Override
  public void close() {
    fixture.close();
  }
}
