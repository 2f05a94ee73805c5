package io.tidemark.cli;

import io.tidemark.log.LoggedRemoval;
import io.tidemark.log.RemovalSearch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.jr.ob.JSON;

/** Searches a removal log. */
@Command(
    name = "log",
    description = "Searches a removal log: when did a chunk go, and what went when.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    sortOptions = false,
    footer = {
      "",
      "Each line: when, what became of it (removed; or kept: gone, touched, failed, untried; or",
      "unconfirmed, when the run was cut off just then), its name, bytes, last use, run.",
      "",
      "Exit status: 0 done; 1 done, and a part of the file could not be read; 2 wrong usage; 3 the",
      "file could not be read."
    })
final class LogCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "FILE", description = "What --removal-log has written.")
  private Path file = Path.of("");

  @Parameters(
      index = "1..*",
      paramLabel = "DIGEST",
      description = "The digits that a digest begins with (default: all entries).")
  private List<String> digests = List.of();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = Moment.class,
      description = "Removed at or after TIME: 2026-01-31, or 2026-01-31T12:00:00Z.")
  private @Nullable Instant since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      converter = Moment.class,
      description = "Removed before TIME.")
  private @Nullable Instant until;

  @Option(
      names = "--run",
      paramLabel = "RUN",
      description = "Removed by this run, named as the log names it, or its beginning.")
  private String run = "";

  @Option(names = "--json", description = "Print a JSON object a line.")
  private boolean json;

  @Override
  public Integer call() {
    for (String digest : digests) {
      if (!digest.matches("[0-9a-fA-F]{1,64}")) {
        throw new ParameterException(
            spec.commandLine(), "'" + digest + "' is not the beginning of a digest");
      }
    }
    List<String> prefixes = digests.stream().map(text -> text.toLowerCase(Locale.ROOT)).toList();
    RemovalSearch search = new RemovalSearch(entry -> isWanted(entry, prefixes), this::print);
    List<RemovalSearch.Damage> damages;
    try {
      damages = search.read(file);
    } catch (IOException e) {
      System.err.println("tidemark: cannot read the removal log " + file + ": " + e.getMessage());
      return ExitStatus.REFUSED;
    }
    for (RemovalSearch.Damage damage : damages) {
      System.err.printf(
          "tidemark: %s: %d bytes from byte %d on are cut off or damaged, and were passed over%n",
          file, damage.bytes(), damage.offset());
    }
    return damages.isEmpty() ? ExitStatus.DONE : ExitStatus.WARNINGS;
  }

  private boolean isWanted(LoggedRemoval entry, List<String> prefixes) {
    return (prefixes.isEmpty() || prefixes.stream().anyMatch(entry.name()::startsWith))
        && (since == null || !entry.time().isBefore(since))
        && (until == null || entry.time().isBefore(until))
        && entry.run().startsWith(run);
  }

  private void print(LoggedRemoval entry) {
    if (!json) {
      System.out.printf(
          "%s %s %s %d %s %s%n",
          entry.time(),
          entry.fate().label(),
          entry.name(),
          entry.bytes(),
          entry.used(),
          entry.run());
      return;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("time", entry.time().toString());
    fields.put("fate", entry.fate().label());
    fields.put("name", entry.name());
    fields.put("digest", entry.name().substring(0, 64));
    fields.put("bytes", entry.bytes());
    fields.put("used", entry.used().toString());
    fields.put("run", entry.run());
    fields.put("store", entry.store());
    System.out.println(JSON.std.asString(fields));
  }

  /** Reads a day, which begins at midnight UTC, or a moment with its zone. */
  static final class Moment implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      try {
        return text.length() == 10
            ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
            : OffsetDateTime.parse(text).toInstant();
      } catch (DateTimeException e) {
        throw new TypeConversionException(
            "'" + text + "' is neither a day such as 2026-01-31 nor 2026-01-31T12:00:00Z");
      }
    }
  }
}
