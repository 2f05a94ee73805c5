package io.tidemark.log;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Reads a removal log and gives the entries that are wanted, each with what became of it. */
public final class RemovalSearch {
  /*
   * Entries wait, batch by batch, until the log says what became of the batch; no run has more open
   * batches than workers. A member that was cut off, or damaged, is passed over up to the
   * next signature.
   */
  private static final int SCAN = 1 << 16;
  private static final int DIGITS = 64;

  private final Predicate<LoggedRemoval> wanted;
  private final Consumer<LoggedRemoval> found;
  private final Map<String, List<LoggedRemoval>> open = new LinkedHashMap<>();
  private final List<Damage> damages = new ArrayList<>();
  private String run = "";
  private String store = "";
  private String batch = "";
  private Instant time = Instant.EPOCH;

  /**
   * A part of the file that cannot be read.
   *
   * @param offset where it begins
   * @param bytes how long it is
   */
  public record Damage(long offset, long bytes) {}

  /**
   * Makes a search.
   *
   * @param wanted says which entries to give, whatever their fate
   * @param found takes them, as soon as their fate is known
   */
  public RemovalSearch(Predicate<LoggedRemoval> wanted, Consumer<LoggedRemoval> found) {
    this.wanted = wanted;
    this.found = found;
  }

  /**
   * Reads the whole file.
   *
   * @return the parts that could not be read
   * @throws IOException when the file cannot be read at all
   */
  public List<Damage> read(Path file) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long size = in.length();
      for (long at = 0; at < size; ) {
        byte[] header = bytes(in, at, Math.min(Member.HEADER, size - at));
        int length = header.length < Member.HEADER ? 0 : Member.length(header);
        Optional<String> lines =
            length == 0 || at + length > size
                ? Optional.empty()
                : Member.unpack(bytes(in, at, length));
        if (lines.isPresent()) {
          lines.get().lines().forEach(this::line);
          at += length;
        } else {
          long next = nextMember(in, at + 1, size);
          damages.add(new Damage(at, next - at));
          at = next;
        }
      }
    }
    open.values().forEach(entries -> entries.forEach(found));
    open.clear();
    return damages;
  }

  private static byte[] bytes(RandomAccessFile in, long at, long length) throws IOException {
    byte[] bytes = new byte[(int) length];
    in.seek(at);
    try {
      in.readFully(bytes);
    } catch (EOFException e) {
      throw new IOException("the file has become shorter while it was read", e);
    }
    return bytes;
  }

  private static long nextMember(RandomAccessFile in, long from, long size) throws IOException {
    byte[] signature = Member.SIGNATURE;
    for (long at = from; at + signature.length <= size; at += SCAN) {
      byte[] part = bytes(in, at, Math.min(SCAN + signature.length - 1L, size - at));
      for (int i = 0; i + signature.length <= part.length; i++) {
        if (Arrays.equals(part, i, i + signature.length, signature, 0, signature.length)) {
          return at + i;
        }
      }
    }
    return size;
  }

  /* A line that makes no sense comes from a later version, and is passed over. */
  private void line(String line) {
    String[] words = line.split(" ", -1);
    try {
      switch (words[0]) {
        case "run" -> {
          run = words[1];
          store = line.substring(line.indexOf(' ', 4) + 1);
        }
        case "batch" -> {
          batch = words[1];
          time = Instant.parse(words[2]);
        }
        case "kept" -> kept(words[1], words[2], Fate.valueOf(words[3].toUpperCase(Locale.ROOT)));
        case "done" -> done(words[1]);
        default -> entry(words);
      }
    } catch (IllegalArgumentException | DateTimeException | IndexOutOfBoundsException e) {
      return;
    }
  }

  private void entry(String[] words) {
    if (words[0].length() >= DIGITS) {
      LoggedRemoval entry =
          new LoggedRemoval(
              time,
              words[0],
              Long.parseLong(words[1]),
              Instant.parse(words[2]),
              run,
              store,
              Fate.UNCONFIRMED);
      if (wanted.test(entry)) {
        open.computeIfAbsent(run + " " + batch, key -> new ArrayList<>()).add(entry);
      }
    }
  }

  private void kept(String number, String name, Fate fate) {
    List<LoggedRemoval> entries = open.getOrDefault(run + " " + number, List.of());
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).name().equals(name)) {
        entries.set(i, entries.get(i).with(fate));
      }
    }
  }

  private void done(String number) {
    List<LoggedRemoval> entries = open.remove(run + " " + number);
    if (entries != null) {
      for (LoggedRemoval entry : entries) {
        found.accept(entry.fate() == Fate.UNCONFIRMED ? entry.with(Fate.REMOVED) : entry);
      }
    }
  }
}
