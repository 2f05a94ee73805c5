package io.tidemark.posix;

/** Makes the system calls of a new thread; called once in each thread, by that thread. */
@FunctionalInterface
public interface CallSource {
  SystemCalls open();
}
