package dev.vestibule.authentication.passkey;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A passkey as its owner and the project's servers see it. */
@JsonInclude(JsonInclude.Include.ALWAYS)
record Passkey(
        UUID id,
        @Nullable String name,
        Instant createdAt,
        @Nullable Instant lastUsedAt) {}
