package io.tidemark.index;

import io.tidemark.posix.Dirents;
import io.tidemark.posix.SystemCalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;

/** Makes every file system look like one whose directories do not tell the types of entries. */
final class UntypedEntries {
  private UntypedEntries() {}

  static SystemCalls around(SystemCalls calls) {
    return (SystemCalls)
        Proxy.newProxyInstance(
            SystemCalls.class.getClassLoader(),
            new Class<?>[] {SystemCalls.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(calls, arguments);
              if (method.getName().equals("getdents64")) {
                erase((Dirents) arguments[1], (int) result);
              }
              return result;
            });
  }

  /* The buffer has no setters, and needs none outside of this test. */
  private static void erase(Dirents entries, int bytes) throws ReflectiveOperationException {
    Field field = Dirents.class.getDeclaredField("segment");
    field.setAccessible(true);
    MemorySegment segment = (MemorySegment) field.get(entries);
    int at = 0;
    while (at < bytes) {
      segment.set(ValueLayout.JAVA_BYTE, at + 18L, (byte) Dirents.DT_UNKNOWN);
      at += segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, at + 16L) & 0xFFFF;
    }
  }
}
