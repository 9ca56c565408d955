package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.project.ApiKeyStore.StoredKey;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An API key as the API returns it. The full text of a secret key is returned only when it is created. */
@JsonInclude(JsonInclude.Include.ALWAYS)
record KeyResponse(
        UUID id,
        ApiKey.Kind kind,
        @Nullable String name,
        String key,
        Instant createdAt,
        @Nullable Instant lastUsedAt) {

    static KeyResponse ofNew(UUID id, ApiKey key, @Nullable String name, Instant now) {
        return new KeyResponse(id, key.kind(), name, key.text(), now, null);
    }

    static KeyResponse of(StoredKey key, Environment environment) {
        return new KeyResponse(
                key.id(),
                key.kind(),
                key.name(),
                Objects.requireNonNullElseGet(
                        key.publicText(), () -> ApiKey.hint(key.kind(), environment, key.lastFour())),
                key.createdAt(),
                key.lastUsedAt());
    }

    @Override
    public String toString() {
        return "KeyResponse[" + id + "]";
    }
}
