package io.tidemark.collect;

import io.tidemark.posix.Errno;
import io.tidemark.posix.SystemCalls;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Answers for the chunk directories that a test store does not have, without asking the kernel. */
final class SparseDirectories {
  /*
   * A sweep asks for all 65,536 directories. In a store of five of them the kernel would say ENOENT
   * 130,000 times a run, 200 ms that a test of hundreds of runs does not have.
   */
  private final AtomicIntegerArray present = new AtomicIntegerArray(65536);

  void add(String directory) {
    present.set(Integer.parseInt(directory, 16), 1);
  }

  SystemCalls around(SystemCalls calls) {
    return (SystemCalls)
        Proxy.newProxyInstance(
            SystemCalls.class.getClassLoader(),
            new Class<?>[] {SystemCalls.class},
            (proxy, method, arguments) -> {
              String name = method.getName();
              if ((name.equals("openat") || name.equals("statx")) && isAbsent(arguments)) {
                return -Errno.ENOENT;
              }
              try {
                return method.invoke(calls, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private boolean isAbsent(Object[] arguments) {
    byte[] name = (byte[]) arguments[1];
    if (name.length != 5) {
      return false;
    }
    int prefix = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Character.digit(name[i], 16);
      if (digit < 0) {
        return false;
      }
      prefix = prefix << 4 | digit;
    }
    return present.get(prefix) == 0;
  }
}
