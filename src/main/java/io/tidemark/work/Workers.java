package io.tidemark.work;

import io.tidemark.report.StopToken;
import io.tidemark.report.StoppedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A fixed set of threads, each with a hand of its own, that share the units of one job at a time.
 *
 * @param <H> what each thread owns: system calls, buffers, an open directory
 */
public final class Workers<H extends AutoCloseable> implements AutoCloseable {
  /*
   * Units are given out in ascending order, so that neighbours on the device are worked on at about
   * the same time. The first failure ends the job: no more units are given out, and run() throws
   * it. How many threads may work at once is the concern of a WorkerCount, one for each kind of
   * job, which the thread that waits in run() tells the rate a few times a second. A thread is
   * started when it is first allowed to work.
   *
   * A system call that hangs in the kernel cannot be stopped. When a stop is requested, run() waits
   * for a moment and then leaves such a thread behind; threads are daemons, so the JVM can end.
   */
  private static final long SAMPLE_MILLIS = 200;
  private static final long STOP_WAIT_MILLIS = 1200;

  private final StopToken stop;
  private final Supplier<WorkerCount> newCount;
  private final Supplier<H> hands;
  private final Map<String, Pace> paces = new HashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Object monitor = new Object();
  private @Nullable Job<H> job;
  private int units;
  private int next;
  private int working;
  private int allowed;
  private @Nullable Throwable failure;
  private boolean closed;

  /**
   * Makes workers, and starts none yet.
   *
   * @param newCount makes what says how many may work, for each kind of job
   * @param hands makes a thread's hand, in that thread, when it works for the first time
   */
  public Workers(Supplier<WorkerCount> newCount, Supplier<H> hands, StopToken stop) {
    this.newCount = newCount;
    this.hands = hands;
    this.stop = stop;
  }

  /**
   * Does all units of {@code job} and returns when they are done.
   *
   * @param kind names the kind of job: the rates of one kind are compared with each other
   * @throws StoppedException when a stop was requested
   * @throws RuntimeException what the first unit to fail threw
   */
  public void run(String kind, int units, Job<H> job) {
    if (runSome(kind, units, job) < units) {
      throw new StoppedException();
    }
  }

  /**
   * Does all units of {@code job}, or as many as were begun when the run was asked to wind down.
   *
   * @return how many were done: all before that one, and none from there on
   * @throws StoppedException when a stop was requested
   * @throws RuntimeException what the first unit to fail threw
   */
  public int runSome(String kind, int units, Job<H> job) {
    int done;
    synchronized (monitor) {
      Pace pace = paces.computeIfAbsent(kind, name -> new Pace(newCount.get()));
      allow(pace.count.current());
      this.units = units;
      this.next = 0;
      this.job = job;
      this.failure = null;
      monitor.notifyAll();
      try {
        await(pace);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoppedException();
      } finally {
        this.job = null;
      }
      rethrow();
      done = next;
    }
    stop.check();
    return done;
  }

  private void allow(int number) {
    allowed = number;
    while (threads.size() < number) {
      int own = threads.size();
      Thread thread = new Thread(() -> work(own), "tidemark-worker-" + own);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  private void await(Pace pace) throws InterruptedException {
    long noted = System.nanoTime();
    int notedNext = 0;
    long stopAt = Long.MAX_VALUE;
    while (working > 0 || (next < units && failure == null && !stop.isWindingDown())) {
      monitor.wait(SAMPLE_MILLIS);
      long now = System.nanoTime();
      allow(pace.note(next - notedNext, now - noted));
      noted = now;
      notedNext = next;
      monitor.notifyAll();
      if (stop.isRequested()) {
        stopAt = Math.min(stopAt, now + STOP_WAIT_MILLIS * 1_000_000);
        if (now >= stopAt) {
          return;
        }
      }
    }
  }

  /** The rate of one kind of job, over all jobs of the kind, and what follows from it. */
  private static final class Pace {
    private final WorkerCount count;
    private long units;
    private long nanos;

    private Pace(WorkerCount count) {
      this.count = count;
    }

    private int note(int moreUnits, long moreNanos) {
      units += moreUnits;
      nanos += moreNanos;
      if (nanos >= SAMPLE_MILLIS * 1_000_000) {
        count.afterSample(units * 1e9 / nanos);
        units = 0;
        nanos = 0;
      }
      return count.current();
    }
  }

  private void rethrow() {
    Throwable thrown = failure;
    if (thrown instanceof StoppedException || stop.isRequested()) {
      throw new StoppedException();
    } else if (thrown instanceof RuntimeException exception) {
      throw exception;
    } else if (thrown instanceof Error error) {
      throw error;
    }
  }

  private void work(int number) {
    try {
      @Nullable H hand = null;
      try {
        for (int unit = take(number); unit >= 0; unit = take(number)) {
          Throwable thrown = null;
          try {
            if (hand == null) {
              hand = hands.get();
            }
            job().run(hand, unit);
          } catch (RuntimeException | Error e) {
            thrown = e;
          }
          done(thrown);
        }
      } finally {
        if (hand != null) {
          hand.close();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      done(e);
    }
  }

  private int take(int number) throws InterruptedException {
    synchronized (monitor) {
      while (!closed) {
        if (job != null
            && number < allowed
            && next < units
            && failure == null
            && !stop.isWindingDown()) {
          working++;
          return next++;
        }
        monitor.wait();
      }
      return -1;
    }
  }

  private Job<H> job() {
    synchronized (monitor) {
      Job<H> current = job;
      if (current == null) {
        throw new StoppedException(); // run() gave up waiting
      }
      return current;
    }
  }

  private void done(@Nullable Throwable thrown) {
    synchronized (monitor) {
      working--;
      if (thrown != null && failure == null) {
        failure = thrown;
      }
      // Only the end of a job concerns the thread that waits in run().
      if (working == 0 && (next >= units || failure != null || stop.isWindingDown())) {
        monitor.notifyAll();
      }
    }
  }

  /** Ends the threads; each closes its hand. */
  @Override
  public void close() {
    synchronized (monitor) {
      closed = true;
      monitor.notifyAll();
    }
    for (Thread thread : threads) {
      try {
        thread.join(stop.isRequested() ? 200 : 0);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
