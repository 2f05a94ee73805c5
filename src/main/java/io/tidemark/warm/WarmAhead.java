package io.tidemark.warm;

import io.tidemark.posix.PosixException;
import io.tidemark.report.StoppedException;
import io.tidemark.store.ChunkDirectory;
import io.tidemark.store.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Reads the directories that a flush needs next, a bounded number ahead of it. */
public final class WarmAhead implements AutoCloseable {
  /*
   * The directories of a flush are numbered in the order of their use. The threads here read those
   * between the one in use and the distance beyond it, each once; the thread that reaches one which
   * is being read just now waits for it, and reads one itself that nobody has begun. A failure is
   * nothing here: the thread that uses the directory meets it again.
   */
  private static final int THREADS = 8;
  private static final byte UNTOUCHED = 0;
  private static final byte BEING_READ = 1;
  private static final byte TAKEN = 2;

  /** What a thread finds when it reaches a directory. */
  public enum Reached {
    /** It was read ahead. */
    READ_AHEAD,
    /** Nobody has read it. */
    NOT_READ
  }

  private final Supplier<ChunkDirectory> directories;
  private final Warmer warmer;
  private final AheadDistance distance;
  private final List<Thread> threads = new ArrayList<>();
  private final Object monitor = new Object();
  private IntUnaryOperator prefixes = index -> 0;
  private byte[] states = new byte[0];
  private int position;
  private int cursor;
  private boolean closed;

  /**
   * Makes the reader; threads are started when there is something to read ahead.
   *
   * @param directories makes a thread's hand on the directories, in that thread
   */
  public WarmAhead(Supplier<ChunkDirectory> directories, Warmer warmer, AheadDistance distance) {
    this.directories = directories;
    this.warmer = warmer;
    this.distance = distance;
  }

  /**
   * Begins a flush.
   *
   * @param count how many directories it uses
   * @param prefixes the prefix of each, by its number in the order of use
   */
  public void start(int count, IntUnaryOperator prefixes) {
    synchronized (monitor) {
      this.prefixes = prefixes;
      this.states = new byte[count];
      this.position = 0;
      this.cursor = 0;
    }
  }

  /** Says that the flush is at directory {@code index}, and waits when it is being read. */
  public Reached reach(int index) {
    synchronized (monitor) {
      position = Math.max(position, index + 1);
      if (distance.current() > 0) {
        startThreads();
        monitor.notifyAll();
      }
      if (states[index] == UNTOUCHED) {
        states[index] = TAKEN;
        return Reached.NOT_READ;
      }
      if (states[index] == BEING_READ) {
        distance.waited();
        awaitRead(index);
      }
      return Reached.READ_AHEAD;
    }
  }

  private void awaitRead(int index) {
    try {
      while (states[index] == BEING_READ) {
        monitor.wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoppedException();
    }
  }

  private void startThreads() {
    while (threads.size() < Math.min(THREADS, distance.current())) {
      Thread thread = new Thread(this::work, "tidemark-ahead-" + threads.size());
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  private void work() {
    try (ChunkDirectory directory = directories.get()) {
      for (int index = take(); index >= 0; index = take()) {
        read(directory, index);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private int take() throws InterruptedException {
    synchronized (monitor) {
      while (!closed) {
        cursor = Math.max(cursor, position);
        while (cursor < states.length && states[cursor] != UNTOUCHED) {
          cursor++;
        }
        if (cursor < states.length && cursor < position + distance.current()) {
          states[cursor] = BEING_READ;
          return cursor++;
        }
        monitor.wait();
      }
      return -1;
    }
  }

  private void read(ChunkDirectory directory, int index) {
    byte[] flush;
    int prefix;
    synchronized (monitor) {
      flush = states;
      prefix = prefixes.applyAsInt(index);
    }
    try {
      if (directory.open(prefix)) {
        warmer.warm(directory);
      }
    } catch (PosixException | RefusedException | StoppedException e) {
      return; // met again, and dealt with, where the directory is used
    } finally {
      synchronized (monitor) {
        flush[index] = TAKEN;
        monitor.notifyAll();
      }
    }
  }

  @Override
  public void close() {
    synchronized (monitor) {
      closed = true;
      monitor.notifyAll();
    }
    for (Thread thread : threads) {
      try {
        thread.join(200);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
