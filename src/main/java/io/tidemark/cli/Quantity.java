package io.tidemark.cli;

import io.tidemark.collect.Window;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the numbers of the command line: counts, sizes and durations with their suffixes. */
final class Quantity {
  private static final Pattern COUNT = Pattern.compile("([0-9]{1,18})([kKmMgGtT]?)");
  private static final Pattern DURATION =
      Pattern.compile("(?:([0-9]{1,6})d)?(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,8})s)?");
  private static final Pattern MINUTES = Pattern.compile("[0-9]{1,9}");

  private Quantity() {}

  /** Returns a number with an optional suffix k, M, G or T, each 1024 times the one before. */
  static long count(String text) {
    Matcher matcher = COUNT.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a number, plain or with k, M, G or T (1024)");
    }
    int power = "kmgt".indexOf(matcher.group(2).toLowerCase(Locale.ROOT));
    int shift = matcher.group(2).isEmpty() ? 0 : 10 * (power + 1);
    long number = Long.parseLong(matcher.group(1));
    if (number > Long.MAX_VALUE >> shift) {
      throw new TypeConversionException("'" + text + "' is too large");
    }
    return number << shift;
  }

  /** Returns a duration such as {@code 90s}, {@code 24h5m} or {@code 2d}. */
  static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (text.isEmpty() || !matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration such as 90s, 24h5m or 2d");
    }
    return Duration.ofDays(part(matcher, 1))
        .plusHours(part(matcher, 2))
        .plusMinutes(part(matcher, 3))
        .plusSeconds(part(matcher, 4));
  }

  private static long part(Matcher matcher, int group) {
    String digits = matcher.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }

  /** Reads a count that must fit an int. */
  static final class Count implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      long count = count(text);
      if (count > Integer.MAX_VALUE) {
        throw new TypeConversionException("'" + text + "' is too large");
      }
      return (int) count;
    }
  }

  /** Reads a duration. */
  static final class Span implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return duration(text);
    }
  }

  /** Reads minutes, plain or as a duration of whole minutes. */
  static final class Minutes implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      if (MINUTES.matcher(text).matches()) {
        return Integer.parseInt(text);
      }
      Duration duration = duration(text);
      if (duration.toSeconds() % 60 != 0) {
        throw new TypeConversionException("'" + text + "' is not a number of whole minutes");
      }
      return (int) Math.min(duration.toMinutes(), Integer.MAX_VALUE);
    }
  }

  /** Reads a window: {@code all}, {@code directory}, {@code auto} or a number of chunks. */
  static final class WindowSize implements ITypeConverter<Window> {
    @Override
    public Window convert(String text) {
      return switch (text) {
        case "all" -> Window.ALL;
        case "directory" -> Window.DIRECTORY;
        case "auto" -> Window.AUTO;
        default -> {
          int chunks = new Count().convert(text);
          if (chunks < 1) {
            throw new TypeConversionException("'" + text + "' is less than one chunk");
          }
          yield Window.of(chunks);
        }
      };
    }
  }

  /** Reads a number of directories, or {@code auto}, which is empty. */
  static final class Ahead implements ITypeConverter<OptionalInt> {
    @Override
    public OptionalInt convert(String text) {
      return text.equals("auto") ? OptionalInt.empty() : OptionalInt.of(new Count().convert(text));
    }
  }

  /** Reads a number of workers, or {@code auto}, which is 0. */
  static final class WorkerNumber implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      if (text.equals("auto")) {
        return 0;
      }
      int number = new Count().convert(text);
      if (number < 1) {
        throw new TypeConversionException("'" + text + "' is neither auto nor at least 1");
      }
      return number;
    }
  }
}
