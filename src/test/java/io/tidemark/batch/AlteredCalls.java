package io.tidemark.batch;

import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Lets one kind of system call do something else than it should, short of failing. */
final class AlteredCalls {
  /** Stands for the result of the real call. */
  static final int REAL = Integer.MIN_VALUE;

  /** Returns what the {@code number}-th call (from 1) returns, or {@link #REAL}. */
  interface Alteration {
    int instead(int number, Object[] arguments, SystemCalls calls);
  }

  private AlteredCalls() {}

  static SystemCalls open(String call, Alteration alteration) {
    SystemCalls calls = Posix.open();
    int[] number = new int[1];
    return (SystemCalls)
        Proxy.newProxyInstance(
            SystemCalls.class.getClassLoader(),
            new Class<?>[] {SystemCalls.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals(call)) {
                int instead = alteration.instead(++number[0], arguments, calls);
                if (instead != REAL) {
                  return instead;
                }
              }
              try {
                return method.invoke(calls, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Lets each {@code pread} return {@code most} bytes at most. */
  static Alteration shortRead(int most) {
    return (number, arguments, calls) ->
        calls.pread(
            (int) arguments[0],
            (byte[]) arguments[1],
            Math.min(most, (int) arguments[2]),
            (long) arguments[3]);
  }

  /** Lets each {@code pwrite} take {@code most} bytes at most. */
  static Alteration shortWrite(int most) {
    return (number, arguments, calls) ->
        calls.pwrite(
            (int) arguments[0],
            (byte[]) arguments[1],
            Math.min(most, (int) arguments[2]),
            (long) arguments[3]);
  }

  /** Flips a bit of what the {@code k}-th read returns; a negative place counts from the end. */
  static Alteration flipBit(int k, int atByte) {
    return (number, arguments, calls) -> {
      byte[] into = (byte[]) arguments[1];
      int read = calls.pread((int) arguments[0], into, (int) arguments[2], (long) arguments[3]);
      if (number == k) {
        into[atByte < 0 ? read + atByte : atByte] ^= 1;
      }
      return read;
    };
  }
}
