package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.index.IndexWriter;
import io.tidemark.report.GcStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A store of a hundred chunks whose collection is broken off and continued. */
final class InterruptedStore implements AutoCloseable {
  /*
   * Twelve snapshots of six chunks each, one in common and one of them missing; forty chunks that
   * go and some that are too young. Progress is noted at every boundary, after every second touch,
   * but nothing is synced: a sync of the machine's disk takes a third of a second.
   */
  private static final int SNAPSHOTS = 12;

  /** Ends a run where it is thrown, as if the process had been killed there. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  final StoreFixture fixture;
  final List<Chunk> used = new ArrayList<>();
  final List<Chunk> unused = new ArrayList<>();
  final List<Chunk> young = new ArrayList<>();
  final List<Path> indexes = new ArrayList<>();
  final Chunk missing;
  private final MemoryDirectory memory = new MemoryDirectory();
  final Path states = memory.path.resolve("states");

  InterruptedStore(Path temporary) {
    fixture = new StoreFixture(temporary);
    fixture.faults.skip("syncfs");
    for (int i = 0; i < 6; i++) {
      unused.add(fixture.chunk(OLD)); // the smallest inode numbers, on most file systems
    }
    Chunk common = fixture.chunk(OLD);
    missing = fixture.missing();
    used.add(common);
    for (int i = 0; i < SNAPSHOTS; i++) {
      List<Chunk> chunks = new ArrayList<>(List.of(common));
      for (int j = 0; j < 5; j++) {
        chunks.add(fixture.chunk(OLD));
      }
      used.addAll(chunks.subList(1, chunks.size()));
      if (i == 3) {
        chunks.add(missing);
      }
      indexes.add(fixture.snapshot(chunks.toArray(Chunk[]::new)));
    }
    for (int i = 6; i < 40; i++) {
      unused.add(fixture.chunk(OLD));
    }
    for (int i = 0; i < 7; i++) {
      young.add(fixture.chunk(YOUNG));
    }
  }

  Continuation continuation(Continuation.Mode mode) {
    return Continuation.NONE.journal(mode, states.toString()).noting(Duration.ZERO, 2);
  }

  Report collect(UnaryOperator<Options.Builder> options, Continuation.Mode mode) {
    return fixture.collect(
        builder ->
            options.apply(builder.workers(1).batchSize(16).continuation(continuation(mode))));
  }

  /** Continues with the faults that have been set. */
  Report resumeAfterFaults(UnaryOperator<Options.Builder> options) {
    return collect(options, Continuation.Mode.RESUME);
  }

  /** Collects with a journal that is continued. */
  Report resume(UnaryOperator<Options.Builder> options) {
    fixture.recover();
    return collect(options, Continuation.Mode.RESUME);
  }

  /** Lets the next run end like a killed process just before the {@code k}-th touch. */
  void crashAtTouch(int k) {
    atTouch(
        k,
        () -> {
          throw new Crash();
        });
  }

  private void atTouch(int k, Runnable action) {
    AtomicInteger touches = new AtomicInteger();
    Runnable count =
        () -> {
          if (touches.incrementAndGet() == k) {
            action.run();
          }
        };
    fixture.faults.each("futimens", count);
    fixture.faults.each("utimensat", count);
  }

  /** Lets the next run end like a killed process just before the {@code k}-th removal. */
  void crashAtRemoval(int k) {
    fixture.faults.run(
        "unlinkat",
        k,
        () -> {
          throw new Crash();
        });
  }

  /** Lets the next run be asked to wind down at the {@code k}-th touch. */
  void windDownAtTouch(int k) {
    atTouch(k, fixture::windDown);
  }

  void windDownAtRemoval(int k) {
    fixture.faults.run("unlinkat", k, fixture::windDown);
  }

  /** Returns how many access times have been set so far. */
  long touches() {
    return fixture.faults.count("futimens") + fixture.faults.count("utimensat");
  }

  Path journal() {
    try (var files = Files.list(states)) {
      return files.filter(file -> file.toString().endsWith(".journal")).findFirst().orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Expects that everything is as one uninterrupted run leaves it. */
  void assertDone(Report report) {
    assertThat(report.error()).isEmpty();
    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
    List<Chunk> left = new ArrayList<>(used);
    left.addAll(young);
    fixture.assertSurvivors(left.toArray(Chunk[]::new));
    assertThat(used)
        .allSatisfy(chunk -> assertThat(fixture.used(chunk)).isAfterOrEqualTo(fixture.now));
    fixture.assertModificationTimesKept();
    assertThat(report.missing())
        .extracting(chunk -> chunk.digest())
        .containsExactly(missing.digest());
    assertThat(states).isEmptyDirectory();
  }

  /** Returns the figures of a run that was not interrupted. */
  GcStatus expected() {
    int bytes = StoreFixture.CHUNK_BYTES;
    return new GcStatus(
        SNAPSHOTS,
        expectedIndexBytes(),
        (long) used.size() * bytes,
        used.size(),
        (long) unused.size() * bytes,
        unused.size(),
        (long) young.size() * bytes,
        young.size(),
        0,
        0,
        GcStatus.CacheStats.NONE);
  }

  private static long expectedIndexBytes() {
    return (SNAPSHOTS * 6L + 1) * IndexWriter.CHUNK_BYTES;
  }

  static GcStatus withoutCache(GcStatus status) {
    return new GcStatus(
        status.indexFileCount(),
        status.indexDataBytes(),
        status.diskBytes(),
        status.diskChunks(),
        status.removedBytes(),
        status.removedChunks(),
        status.pendingBytes(),
        status.pendingChunks(),
        status.removedBad(),
        status.stillBad(),
        GcStatus.CacheStats.NONE);
  }

  @Override
  public void close() {
    fixture.close();
    memory.close();
  }
}
