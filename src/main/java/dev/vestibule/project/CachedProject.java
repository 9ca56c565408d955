package dev.vestibule.project;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A project as requests need it: its settings, and its keys by the hash of their text. */
public record CachedProject(Project project, Map<ByteBuffer, KnownKey> keys) {
    /** A key that the project knows. */
    public record KnownKey(UUID id, ApiKey.Kind kind) {}

    public CachedProject {
        keys = Map.copyOf(keys);
    }

    /** Empty where the project does not know the key, or no longer. */
    public Optional<KnownKey> key(ApiKey presented) {
        return Optional.ofNullable(keys.get(ByteBuffer.wrap(presented.hash())))
                .filter(known -> known.kind() == presented.kind());
    }
}
