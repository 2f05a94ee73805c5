package io.tidemark.posix;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The one decorator around the system calls: fails call K of a kind with an errno, or runs code.
 */
public final class FaultyCalls {
  private record Rule(
      String call,
      Predicate<Object[]> when,
      int first,
      int last,
      AtomicInteger seen,
      int errno,
      Runnable before) {}

  private final List<Rule> rules = new ArrayList<>();
  private final Set<String> skipped = ConcurrentHashMap.newKeySet();
  private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();

  /** Lets the {@code k}-th call (from 1) named {@code call}, in any thread, fail with errno. */
  public FaultyCalls fail(String call, int k, int errno) {
    return add(new Rule(call, arguments -> true, k, k, new AtomicInteger(), errno, () -> {}));
  }

  /** Lets every call named {@code call} from the {@code k}-th on fail. */
  public FaultyCalls failFrom(String call, int k, int errno) {
    return add(
        new Rule(
            call, arguments -> true, k, Integer.MAX_VALUE, new AtomicInteger(), errno, () -> {}));
  }

  /** Lets calls named {@code call} whose path contains {@code part} fail, all of them. */
  public FaultyCalls failOn(String call, String part, int errno) {
    return add(
        new Rule(
            call,
            arguments -> names(arguments, part),
            1,
            Integer.MAX_VALUE,
            new AtomicInteger(),
            errno,
            () -> {}));
  }

  /** Lets the {@code k}-th call named {@code call} whose path contains {@code part} fail. */
  public FaultyCalls failOn(String call, String part, int k, int errno) {
    return add(
        new Rule(
            call, arguments -> names(arguments, part), k, k, new AtomicInteger(), errno, () -> {}));
  }

  /** Runs {@code action} just before the {@code k}-th call whose path contains {@code part}. */
  public FaultyCalls before(String call, String part, int k, Runnable action) {
    return add(
        new Rule(call, arguments -> names(arguments, part), k, k, new AtomicInteger(), 0, action));
  }

  /**
   * Runs {@code action} just before the {@code k}-th call named {@code call}, whatever it is on.
   */
  public FaultyCalls run(String call, int k, Runnable action) {
    return add(new Rule(call, arguments -> true, k, k, new AtomicInteger(), 0, action));
  }

  /** Runs {@code action} just before every call named {@code call}. */
  public FaultyCalls each(String call, Runnable action) {
    return add(
        new Rule(call, arguments -> true, 1, Integer.MAX_VALUE, new AtomicInteger(), 0, action));
  }

  /** Lets every call named {@code call} do nothing and succeed, from now on. */
  public FaultyCalls skip(String call) {
    skipped.add(call);
    return this;
  }

  /** Forgets all rules; what was counted stays. */
  public synchronized void heal() {
    rules.clear();
  }

  private synchronized FaultyCalls add(Rule rule) {
    rules.add(rule);
    return this;
  }

  /** Returns how often {@code call} was made so far, failed ones included. */
  public long count(String call) {
    AtomicLong count = counts.get(call);
    return count == null ? 0 : count.get();
  }

  /** Returns a source of decorated calls, one for each thread that asks. */
  public CallSource source() {
    return () -> around(Posix.open());
  }

  /** Returns {@code calls} with the rules around them. */
  public SystemCalls around(SystemCalls calls) {
    return (SystemCalls)
        Proxy.newProxyInstance(
            SystemCalls.class.getClassLoader(),
            new Class<?>[] {SystemCalls.class},
            (proxy, method, arguments) ->
                invoke(calls, method, arguments == null ? new Object[0] : arguments));
  }

  private Object invoke(SystemCalls calls, Method method, Object[] arguments) throws Throwable {
    counts.computeIfAbsent(method.getName(), name -> new AtomicLong()).incrementAndGet();
    List<Rule> all;
    synchronized (this) {
      all = List.copyOf(rules);
    }
    for (Rule rule : all) {
      if (rule.call.equals(method.getName()) && rule.when.test(arguments)) {
        int number = rule.seen.incrementAndGet();
        if (number >= rule.first && number <= rule.last) {
          rule.before.run();
          if (rule.errno != 0) {
            return -rule.errno;
          }
        }
      }
    }
    if (skipped.contains(method.getName())) {
      return 0;
    }
    try {
      return method.invoke(calls, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /* A name ends at its first zero; what follows in the array is left over from a longer one. */
  private static boolean names(Object[] arguments, String part) {
    for (Object argument : arguments) {
      if (argument instanceof byte[] name) {
        int end = 0;
        while (end < name.length && name[end] != 0) {
          end++;
        }
        if (end < name.length && FileName.decode(name, end).contains(part)) {
          return true;
        }
      }
    }
    return false;
  }
}
