package io.tidemark.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.posix.Errno;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A run that was broken off is continued, and ends as if it had not been. */
class ResumeTest {
  @TempDir private Path temporary;
  private InterruptedStore store;

  /** A way to carry out the mark. */
  record Way(String name, UnaryOperator<Options.Builder> options, boolean byHandle) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Way ordered(String name, Window window) {
    return new Way(name, options -> options.strategy(Strategy.ORDERED).window(window), true);
  }

  static List<Way> ways() {
    return List.of(
        new Way("immediate", options -> options.strategy(Strategy.IMMEDIATE), true),
        new Way("deferred", options -> options.strategy(Strategy.DEFERRED), true),
        ordered("ordered, all", Window.ALL),
        new Way(
            "ordered, all, by name",
            options -> options.strategy(Strategy.ORDERED).window(Window.ALL),
            false),
        ordered("ordered, windows", Window.of(20)),
        ordered("ordered, directories", Window.DIRECTORY));
  }

  static Stream<Arguments> touches() {
    return ways().stream().flatMap(way -> Stream.of(2, 44).map(k -> Arguments.of(way, k)));
  }

  static Stream<Arguments> removals() {
    return ways().stream().flatMap(way -> Stream.of(20).map(k -> Arguments.of(way, k)));
  }

  @BeforeEach
  void make() {
    store = new InterruptedStore(temporary);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void reach(Way way) {
    if (!way.byHandle()) {
      store.fixture.faults.failFrom("nameToHandleAt", 1, Errno.EOPNOTSUPP);
    }
  }

  private Report first(Way way) {
    reach(way);
    return store.collect(way.options(), Continuation.Mode.KEEP);
  }

  private Report second(Way way) {
    store.fixture.recover();
    reach(way);
    return store.collect(way.options(), Continuation.Mode.RESUME);
  }

  @ParameterizedTest
  @MethodSource("touches")
  void mark_killed_continuesAndDoesLittleTwice(Way way, int k) {
    store.crashAtTouch(k);
    Report killed = first(way);
    assertThat(killed.outcome()).isEqualTo(Outcome.REFUSED);

    Report report = second(way);

    store.assertDone(report);
    assertThat(InterruptedStore.withoutCache(report.status())).isEqualTo(store.expected());
    assertThat(report.continuedFrom()).contains(store.fixture.now);
    // What was not noted yet: two touches, or with deferred those of the batch at hand.
    assertThat(store.touches()).isLessThanOrEqualTo(store.used.size() + 4);
  }

  @ParameterizedTest
  @MethodSource("touches")
  void mark_windingDown_continuesWithTheSameFigures(Way way, int k) {
    store.windDownAtTouch(k);
    Report stopped = first(way);
    assertThat(stopped.outcome()).isEqualTo(Outcome.STOPPED);
    assertThat(stopped.error().orElseThrow()).contains("--resume");

    Report report = second(way);

    store.assertDone(report);
    assertThat(InterruptedStore.withoutCache(report.status())).isEqualTo(store.expected());
  }

  @ParameterizedTest
  @MethodSource("removals")
  void sweep_killed_continuesWithoutTouchingAgain(Way way, int k) {
    store.crashAtRemoval(k);
    Report killed = first(way);
    assertThat(killed.outcome()).isEqualTo(Outcome.FAILED);
    long before = store.touches();

    Report report = second(way);

    store.assertDone(report);
    assertThat(store.touches()).isEqualTo(before);
    assertThat(report.status().removedChunks()).isLessThanOrEqualTo(40);
    assertThat(report.status().diskChunks()).isEqualTo(store.expected().diskChunks());
    assertThat(report.status().diskBytes()).isEqualTo(store.expected().diskBytes());
    assertThat(report.status().pendingChunks()).isEqualTo(store.expected().pendingChunks());
  }

  @ParameterizedTest
  @MethodSource("removals")
  void sweep_windingDown_continuesWithTheSameFigures(Way way, int k) {
    store.windDownAtRemoval(k);
    Report stopped = first(way);
    Optional<Instant> cutoff = stopped.minimumAtime();
    long before = store.touches();

    Report report = second(way);

    store.assertDone(report);
    assertThat(store.touches()).isEqualTo(before);
    assertThat(report.minimumAtime()).isEqualTo(cutoff);
    assertThat(InterruptedStore.withoutCache(report.status())).isEqualTo(store.expected());
    assertThat(report.touched()).isEqualTo(store.used.size());
  }
}
