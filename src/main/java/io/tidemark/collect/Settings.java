package io.tidemark.collect;

import io.tidemark.store.DatastoreSettings;
import java.util.Optional;

/**
 * What holds for one run when its options and the server's configuration are put together.
 *
 * @param storeName the datastore's name, the last part of its path when it is not configured
 * @param graceSeconds how long an unused chunk is kept
 * @param cacheCapacity the most digests in the cache; 0 for none
 * @param capacityConfigured whether somebody has asked for that capacity
 * @param atimeCheck whether access times are checked first
 */
record Settings(
    String storeName,
    long graceSeconds,
    int cacheCapacity,
    boolean capacityConfigured,
    Options.AtimeCheckMode atimeCheck) {

  /** Puts them together; what the options say comes first. */
  static Settings of(Options options, Optional<DatastoreSettings> configured) {
    String path = options.store();
    int minutes =
        options
            .graceMinutes()
            .orElseGet(
                () ->
                    configured
                        .map(store -> store.gcAtimeCutoffMinutes())
                        .filter(value -> value.isPresent())
                        .map(value -> value.getAsInt())
                        .orElse(Options.DEFAULT_GRACE_MINUTES));
    Optional<Integer> configuredCapacity =
        configured
            .map(store -> store.gcCacheCapacity())
            .filter(value -> value.isPresent())
            .map(value -> value.getAsInt());
    boolean checked = configured.flatMap(DatastoreSettings::gcAtimeSafetyCheck).orElse(true);
    return new Settings(
        configured.map(DatastoreSettings::name).orElse(path.substring(path.lastIndexOf('/') + 1)),
        minutes * 60L,
        options
            .cacheCapacity()
            .orElseGet(() -> configuredCapacity.orElse(Options.DEFAULT_CACHE_CAPACITY)),
        options.cacheCapacity().isPresent() || configuredCapacity.isPresent(),
        options
            .atimeCheck()
            .orElse(checked ? Options.AtimeCheckMode.RUN : Options.AtimeCheckMode.SKIP));
  }
}
