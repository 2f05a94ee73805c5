package io.tidemark.store;

import io.tidemark.posix.SystemCalls;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;

/** File systems that do less than they say. */
final class AlteredCalls {
  private AlteredCalls() {}

  /** Returns calls whose touches succeed and do nothing. */
  static SystemCalls withoutTouches(SystemCalls calls) {
    return around(calls, "utimensat", arguments -> 0);
  }

  /** Returns calls that write at most ten bytes at once. */
  static SystemCalls withShortWrites(SystemCalls calls) {
    return around(
        calls,
        "pwrite",
        arguments -> {
          int length = Math.min(10, (int) arguments[2]);
          return calls.pwrite(
              (int) arguments[0],
              Arrays.copyOf((byte[]) arguments[1], length),
              length,
              (long) arguments[3]);
        });
  }

  private interface Call {
    int answer(Object[] arguments);
  }

  private static SystemCalls around(SystemCalls calls, String altered, Call instead) {
    return (SystemCalls)
        Proxy.newProxyInstance(
            SystemCalls.class.getClassLoader(),
            new Class<?>[] {SystemCalls.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals(altered)) {
                return instead.answer(arguments);
              }
              try {
                return method.invoke(calls, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
