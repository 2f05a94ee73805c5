package io.tidemark.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.tidemark.report.StopToken;
import io.tidemark.report.StoppedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class WorkersTest {
  private final StopToken stop = new StopToken();
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();

  /** What a thread owns; it knows its thread. */
  private final class Hand implements AutoCloseable {
    private final Thread owner = Thread.currentThread();

    Hand() {
      made.incrementAndGet();
    }

    void check() {
      assertThat(Thread.currentThread()).isSameAs(owner);
    }

    @Override
    public void close() {
      check();
      closed.incrementAndGet();
    }
  }

  private Workers<Hand> workers(int number) {
    return new Workers<>(() -> WorkerCount.fixed(number), Hand::new, stop);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void run_anyNumberOfWorkers_eachUnitIsDoneOnce(int number) {
    AtomicIntegerArray done = new AtomicIntegerArray(5000);
    try (Workers<Hand> workers = workers(number)) {
      for (int job = 0; job < 3; job++) {
        workers.run(
            "test",
            done.length(),
            (hand, unit) -> {
              hand.check();
              done.incrementAndGet(unit);
            });
      }
    }
    for (int unit = 0; unit < done.length(); unit++) {
      assertThat(done.get(unit)).isEqualTo(3);
    }
    assertThat(made.get()).isBetween(1, number);
    assertThat(closed.get()).isEqualTo(made.get());
  }

  @Test
  void run_oneWorker_unitsAscend() {
    List<Integer> units = new ArrayList<>();
    try (Workers<Hand> workers = workers(1)) {
      workers.run("test", 100, (hand, unit) -> units.add(unit));
    }
    assertThat(units).isSorted().hasSize(100);
  }

  @Test
  void run_threeWorkers_workAtOnce() {
    CyclicBarrier together = new CyclicBarrier(3);
    try (Workers<Hand> workers = workers(3)) {
      workers.run("test", 3, (hand, unit) -> await(together));
    }
    assertThat(made.get()).isEqualTo(3);
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void run_oneUnitFails_theOthersAreNotGivenOutAndTheFailureIsThrown(int number) {
    AtomicInteger begun = new AtomicInteger();
    try (Workers<Hand> workers = workers(number)) {
      assertThatThrownBy(
              () ->
                  workers.run(
                      "test",
                      1_000_000,
                      (hand, unit) -> {
                        begun.incrementAndGet();
                        if (unit == 100) {
                          throw new IllegalStateException("unit 100");
                        }
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("unit 100");
      assertThat(begun.get()).isLessThan(1_000_000);

      AtomicInteger next = new AtomicInteger();
      workers.run("test", 10, (hand, unit) -> next.incrementAndGet());
      assertThat(next.get()).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void runSome_windingDown_unitsBegunAreDoneAndNoOthers(int number) {
    AtomicIntegerArray done = new AtomicIntegerArray(1_000_000);
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger begunThen = new AtomicInteger();
    try (Workers<Hand> workers = workers(number)) {
      int count =
          workers.runSome(
              "test",
              done.length(),
              (hand, unit) -> {
                begun.incrementAndGet();
                if (unit == 100) {
                  stop.windDown();
                  begunThen.set(begun.get());
                }
                done.incrementAndGet(unit);
              });
      // Another worker may have taken a unit without having come to its first line.
      assertThat(count).isBetween(101, begunThen.get() + number - 1);
      for (int unit = 0; unit < done.length(); unit++) {
        if (done.get(unit) != (unit < count ? 1 : 0)) {
          fail("unit %d was done %d times, of %d", unit, done.get(unit), count);
        }
      }
      assertThat(workers.runSome("test", 3, (hand, unit) -> done.incrementAndGet(0))).isZero();
      assertThatThrownBy(() -> workers.run("test", 3, (hand, unit) -> done.incrementAndGet(0)))
          .isInstanceOf(StoppedException.class);
    }
  }

  @Test
  void run_unitThrowsAnError_itIsThrown() {
    try (Workers<Hand> workers = workers(2)) {
      assertThatThrownBy(
              () ->
                  workers.run(
                      "test",
                      4,
                      (hand, unit) -> {
                        throw new OutOfMemoryError("unit " + unit);
                      }))
          .isInstanceOf(OutOfMemoryError.class);
    }
  }

  @Test
  void run_handCannotBeMade_failureIsThrown() {
    try (Workers<Hand> workers =
        new Workers<>(
            () -> WorkerCount.fixed(2),
            () -> {
              throw new IllegalStateException("no hand");
            },
            stop)) {
      assertThatThrownBy(() -> workers.run("test", 4, (hand, unit) -> {})).hasMessage("no hand");
    }
  }

  @Test
  void run_noUnits_returnsAtOnce() {
    try (Workers<Hand> workers = workers(2)) {
      workers.run("test", 0, (hand, unit) -> assertThat(unit).isNegative());
    }
    assertThat(made.get()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void run_stopRequestedInAUnit_stopsAndClosesTheHands(int number) {
    AtomicInteger begun = new AtomicInteger();
    try (Workers<Hand> workers = workers(number)) {
      assertThatThrownBy(
              () ->
                  workers.run(
                      "test",
                      1_000_000,
                      (hand, unit) -> {
                        begun.incrementAndGet();
                        if (unit == 50) {
                          stop.request();
                        }
                      }))
          .isInstanceOf(StoppedException.class);
    }
    assertThat(begun.get()).isLessThan(1_000_000);
    assertThat(closed.get()).isEqualTo(made.get());
  }

  @Test
  void run_stopRequestedBefore_nothingIsDone() {
    stop.request();
    try (Workers<Hand> workers = workers(2)) {
      assertThatThrownBy(() -> workers.run("test", 5, (hand, unit) -> {}))
          .isInstanceOf(StoppedException.class);
    }
    assertThat(made.get()).isZero();
  }
}
