package io.tidemark.store;

import io.tidemark.posix.FileName;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.store.ConfigSection.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The datastores that the server on this host is configured with. */
public final class DatastoreConfig {
  private static final int MAXIMUM_CUTOFF_MINUTES = 2880;
  private static final int MAXIMUM_CACHE_CAPACITY = 8_388_608;

  private final String file;
  private final List<DatastoreSettings> stores = new ArrayList<>();

  private DatastoreConfig(String text, String file) {
    this.file = file;
    for (ConfigSection section : ConfigSection.parse(text, file)) {
      if (section.type().equals("datastore")) {
        stores.add(settings(section));
      }
    }
  }

  /**
   * Reads the configuration; without one, or when it may not be read, there are no datastores.
   *
   * @throws RefusedException when it cannot be parsed
   */
  public static DatastoreConfig read(PbsHost host, RunLog log) {
    String file = host.configuration();
    try {
      byte[] bytes = Files.readAllBytes(Path.of(file));
      return new DatastoreConfig(FileName.decode(bytes, bytes.length), file);
    } catch (NoSuchFileException e) {
      return new DatastoreConfig("", file);
    } catch (IOException e) {
      log.info("Cannot read %s, going on without the datastore's settings".formatted(file));
      return new DatastoreConfig("", file);
    }
  }

  /** Returns all datastores, in the order of the file. */
  List<DatastoreSettings> stores() {
    return List.copyOf(stores);
  }

  /** Returns the settings of the datastore whose directory is {@code base}, by whatever path. */
  public Optional<DatastoreSettings> find(SystemCalls calls, String base) {
    Optional<DirectoryIdentity> wanted = DirectoryIdentity.of(calls, base);
    return stores.stream()
        .filter(store -> wanted.isPresent())
        .filter(store -> DirectoryIdentity.of(calls, store.path()).equals(wanted))
        .findFirst();
  }

  /**
   * Lets a run on the datastore {@code base} go on only when its settings allow a collection.
   *
   * @throws RefusedException when its chunks are in an object store, it is under maintenance, or
   *     another datastore lies above or below it
   */
  public void refuseUnusable(SystemCalls calls, String base) {
    Optional<DatastoreSettings> own = find(calls, base);
    own.ifPresent(
        store -> {
          if (!store.backend().equals("filesystem")) {
            throw new RefusedException(
                ("datastore %s at %s has the backend '%s', so its chunk directory is only a cache;"
                        + " nothing was done; collect it with Proxmox Backup Server")
                    .formatted(store.name(), store.path(), store.backend()));
          }
          store
              .maintenanceMode()
              .ifPresent(
                  type -> {
                    throw new RefusedException(
                        ("datastore %s at %s is in maintenance mode '%s'; nothing was done;"
                                + " end the maintenance first")
                            .formatted(store.name(), store.path(), type));
                  });
        });
    NestedStores.refuse(calls, base, own, stores);
  }

  private DatastoreSettings settings(ConfigSection section) {
    Setting path = section.settings().get("path");
    if (path == null) {
      throw ConfigSection.refused(
          file, section.line(), "the datastore '" + section.id() + "' has no path");
    }
    Map<String, String> backend = properties(section.settings().get("backend"), "type");
    Setting maintenance = section.settings().get("maintenance-mode");
    Setting tuning = section.settings().get("tuning");
    Map<String, String> tunings = properties(tuning, "");
    int line = tuning == null ? 0 : tuning.line();
    return new DatastoreSettings(
        section.id(),
        section.settings().containsKey("backing-device")
            ? "/mnt/datastore/" + section.id()
            : path.value(),
        backend.getOrDefault("type", "filesystem"),
        maintenance == null
            ? Optional.empty()
            : Optional.of(properties(maintenance, "type").getOrDefault("type", "unknown")),
        truth(tunings, "gc-atime-safety-check", line),
        number(tunings, "gc-atime-cutoff", 1, MAXIMUM_CUTOFF_MINUTES, line),
        number(tunings, "gc-cache-capacity", 0, MAXIMUM_CACHE_CAPACITY, line));
  }

  private Map<String, String> properties(@Nullable Setting setting, String defaultKey) {
    if (setting == null) {
      return Map.of();
    }
    try {
      return PropertyString.parse(setting.value(), defaultKey);
    } catch (IllegalArgumentException e) {
      throw ConfigSection.refused(file, setting.line(), String.valueOf(e.getMessage()));
    }
  }

  private Optional<Boolean> truth(Map<String, String> values, String key, int line) {
    String value = values.get(key);
    if (value == null) {
      return Optional.empty();
    }
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "1", "on", "yes", "true" -> Optional.of(true);
      case "0", "off", "no", "false" -> Optional.of(false);
      default ->
          throw ConfigSection.refused(file, line, key + " is '" + value + "', not on or off");
    };
  }

  private OptionalInt number(
      Map<String, String> values, String key, int least, int most, int line) {
    String value = values.get(key);
    if (value == null) {
      return OptionalInt.empty();
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return OptionalInt.of(number);
      }
    } catch (NumberFormatException e) {
      // falls to the message below, as a number out of range does
    }
    throw ConfigSection.refused(
        file, line, "%s is '%s', not a number from %s to %s".formatted(key, value, least, most));
  }
}
