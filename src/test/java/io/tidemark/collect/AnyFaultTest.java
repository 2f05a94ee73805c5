package io.tidemark.collect;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.posix.Errno;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Lets each single call of a collection fail, one after the other. */
class AnyFaultTest {
  @TempDir private Path temporary;

  static Stream<Arguments> calls() {
    List<String> calls =
        List.of(
            "openat",
            "getdents64",
            "statx",
            "pread",
            "utimensat",
            "unlinkat",
            "renameat2",
            "fcntl",
            "flock",
            "fstatfs",
            "getrusage");
    return Arrays.stream(Strategy.values())
        .flatMap(strategy -> calls.stream().map(call -> Arguments.of(strategy, call)));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void anyCall_failsWithEio_nothingInUseIsLostAndTheNextRunCompletes(
      Strategy strategy, String call) {
    long total = 1;
    for (int k = 1; k <= total; k++) {
      try (Store store = new Store(temporary.resolve(call + k))) {
        NavigableSet<String> before = store.fixture.survivors();
        store.fixture.faults.fail(call, k, Errno.EIO);

        Report report = store.fixture.collect(options -> options.strategy(strategy).batchSize(2));

        total = Math.max(total, Math.min(60, store.fixture.faults.count(call)));
        String what = call + " " + k + ": " + report.error();
        assertThat(store.fixture.survivors())
            .as(what)
            .anyMatch(name -> name.contains(store.used.digest()))
            .anyMatch(name -> name.contains(store.aside.digest()));
        if (report.outcome() == Outcome.REFUSED) {
          assertThat(store.fixture.survivors()).as(what).hasSameSizeAs(before);
          assertThat(report.error().orElseThrow()).contains("EIO").contains("othing was");
        }
        assertThat(report.outcome()).as(what).isNotIn(Outcome.STOPPED, Outcome.BUSY);
        assertThat(report.error().orElse("")).doesNotContain("internal error");

        assertThat(store.fixture.collectAgain().outcome()).as(what).isEqualTo(Outcome.WARNINGS);
        assertThat(store.fixture.survivors()).as(what).isEqualTo(store.expected());
      }
    }
  }

  /** A store with something of everything. */
  private static final class Store implements AutoCloseable {
    final StoreFixture fixture;
    final Chunk used;
    final Chunk aside;
    private final Chunk corrupt;
    private final Chunk young;

    Store(Path directory) {
      fixture = new StoreFixture(directory);
      used = fixture.chunk(OLD);
      aside = fixture.chunk(OLD, ".tidemark");
      corrupt = fixture.chunk(OLD, ".0.bad");
      young = fixture.chunk(YOUNG);
      fixture.chunk(OLD);
      fixture.chunk(OLD, ".5.bad");
      fixture.chunk(OLD, ".tidemark");
      fixture.snapshot(used, aside);
      fixture.index("ns/a/ct/7/2026-01-01T00:00:00Z/root.didx", used, corrupt, fixture.missing());
    }

    NavigableSet<String> expected() {
      NavigableSet<String> names = new java.util.TreeSet<>();
      for (Chunk chunk : List.of(used, aside, young)) {
        names.add(chunk.directory() + "/" + chunk.digest());
      }
      names.add(corrupt.directory() + "/" + corrupt.digest() + ".0.bad");
      return names;
    }

    @Override
    public void close() {
      fixture.close();
    }
  }
}
