package io.tidemark.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** A process that holds a POSIX record lock, as Proxmox Backup Server does, until it is closed. */
public final class LockHolder implements AutoCloseable {
  private final Process process;

  private LockHolder(Process process) {
    this.process = process;
  }

  public static LockHolder shared(Path file) {
    return start(file, "shared");
  }

  public static LockHolder exclusive(Path file) {
    return start(file, "exclusive");
  }

  private static LockHolder start(Path file, String mode) {
    try {
      String classes =
          Path.of(
                  Objects.requireNonNull(
                          LockHolder.class.getProtectionDomain().getCodeSource(), "class path")
                      .getLocation()
                      .getPath())
              .toString();
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
                  "-Xshare:auto",
                  "-cp",
                  classes,
                  LockHolder.class.getName(),
                  file.toString(),
                  mode)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      if (process.getInputStream().read() != 'L') {
        throw new IllegalStateException("the child process did not get its lock");
      }
      return new LockHolder(process);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int pid() {
    return (int) process.pid();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Locks {@code arguments[0]}, says so, and waits for the end of its input. */
  public static void main(String[] arguments) throws IOException {
    try (FileChannel file =
            FileChannel.open(
                Path.of(arguments[0]), StandardOpenOption.READ, StandardOpenOption.WRITE);
        var lock = file.tryLock(0, Long.MAX_VALUE, arguments[1].equals("shared"))) {
      System.out.print(lock == null ? 'X' : 'L');
      System.out.flush();
      if (System.in.read() >= 0) {
        System.out.print('?');
      }
    }
  }
}
