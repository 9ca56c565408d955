package dev.vestibule.project;

import dev.vestibule.database.Shard;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A project with its settings and its API keys, by the hash of their text, as requests need them.
 *
 * @param shard the database that has it
 */
public record CachedProject(Project project, Map<ByteBuffer, CachedKey> keys, Shard shard) {
    /** One of the project's API keys. */
    public record CachedKey(UUID id, ApiKey.Kind kind) {}

    public CachedProject {
        keys = Map.copyOf(keys);
    }

    /** Empty if the project has no such key, or it has been revoked. */
    public Optional<CachedKey> findKey(ApiKey key) {
        return Optional.ofNullable(keys.get(ByteBuffer.wrap(key.hash()))).filter(found -> found.kind() == key.kind());
    }
}
