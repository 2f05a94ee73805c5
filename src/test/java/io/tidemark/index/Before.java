package io.tidemark.index;

import io.tidemark.posix.SystemCalls;
import java.lang.reflect.Proxy;

/** Runs code before each call that has no path to be recognised by. */
final class Before {
  private Before() {}

  static SystemCalls flock(SystemCalls calls, Runnable action) {
    return (SystemCalls)
        Proxy.newProxyInstance(
            SystemCalls.class.getClassLoader(),
            new Class<?>[] {SystemCalls.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("flock")) {
                action.run();
              }
              return method.invoke(calls, arguments);
            });
  }
}
