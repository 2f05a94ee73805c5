package io.tidemark.html;

import io.tidemark.posix.CallSource;
import io.tidemark.posix.SystemCalls;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Measures how long the system calls of a run take, by kind. */
public final class CallTimes implements CallSource {
  /*
   * Each thread has calls of its own, so it counts alone, and adds what it has at the end. A proxy
   * costs a fraction of a microsecond a call, which only a run with a page pays for.
   */
  private static final long LONGEST = TimeUnit.HOURS.toNanos(1);
  private static final int DIGITS = 2;

  private final CallSource calls;
  private final Map<String, Histogram> times = new TreeMap<>();

  public CallTimes(CallSource calls) {
    this.calls = calls;
  }

  @Override
  public SystemCalls open() {
    SystemCalls own = calls.open();
    Map<String, Histogram> mine = new TreeMap<>();
    return (SystemCalls)
        Proxy.newProxyInstance(
            SystemCalls.class.getClassLoader(),
            new Class<?>[] {SystemCalls.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close") && method.getParameterCount() == 0) {
                add(mine);
              }
              return timed(own, method, arguments, mine);
            });
  }

  private static Object timed(
      SystemCalls calls, Method method, Object[] arguments, Map<String, Histogram> times)
      throws Throwable {
    long start = System.nanoTime();
    try {
      return method.invoke(calls, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    } finally {
      long nanos = Math.clamp(System.nanoTime() - start, 1, LONGEST);
      if (method.getReturnType() == int.class) {
        times
            .computeIfAbsent(method.getName(), name -> new Histogram(LONGEST, DIGITS))
            .recordValue(nanos);
      }
    }
  }

  private synchronized void add(Map<String, Histogram> more) {
    more.forEach(
        (name, histogram) ->
            times.computeIfAbsent(name, key -> new Histogram(LONGEST, DIGITS)).add(histogram));
    more.clear();
  }

  /** Returns the times of each kind of call, in nanoseconds, by the name of the call. */
  synchronized Map<String, Histogram> byCall() {
    return new TreeMap<>(times);
  }
}
