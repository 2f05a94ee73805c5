package io.tidemark.store;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the server's configuration says of one datastore, as far as a collection cares.
 *
 * @param name the datastore's name
 * @param path its directory
 * @param backend what keeps the chunks: {@code filesystem} or {@code s3}
 * @param maintenanceMode the type of maintenance; empty when there is none
 * @param gcAtimeSafetyCheck whether to check that access times work; empty when not configured
 * @param gcAtimeCutoffMinutes 1 to 2880; empty when not configured
 * @param gcCacheCapacity digests, 0 to 8388608; empty when not configured
 */
public record DatastoreSettings(
    String name,
    String path,
    String backend,
    Optional<String> maintenanceMode,
    Optional<Boolean> gcAtimeSafetyCheck,
    OptionalInt gcAtimeCutoffMinutes,
    OptionalInt gcCacheCapacity) {}
