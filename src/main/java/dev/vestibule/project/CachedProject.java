package dev.vestibule.project;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A project as requests need it: its settings, and its keys by the hash of their text. */
public record CachedProject(Project project, Map<ByteBuffer, CachedKey> keys) {
    /** A key that the project knows. */
    public record CachedKey(UUID id, ApiKey.Kind kind) {}

    public CachedProject {
        keys = Map.copyOf(keys);
    }

    /** Empty where the project does not know the key, or no longer. */
    public Optional<CachedKey> findKey(ApiKey key) {
        return Optional.ofNullable(keys.get(ByteBuffer.wrap(key.hash()))).filter(known -> known.kind() == key.kind());
    }
}
