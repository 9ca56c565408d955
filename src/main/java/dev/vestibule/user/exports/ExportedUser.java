package dev.vestibule.user.exports;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.user.ManagedUser;
import dev.vestibule.user.UserId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A line of an export, with the fields that an import takes. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ExportedUser(
        UserId id,
        @Nullable String email,
        boolean emailVerified,
        @Nullable String displayName,
        @Nullable String avatarUrl,
        @Nullable String phone,
        boolean phoneVerified,
        boolean isBanned,
        @Nullable Map<String, Object> publicMetadata,
        @Nullable String externalId,
        @Nullable Map<String, Object> privateMetadata,
        @Nullable String passwordHash,
        int signInCount,
        @Nullable Instant lastSignInAt,
        Instant createdAt,
        Instant updatedAt,
        @Nullable List<Identity> identities) {

    /** A linked account at a provider; it has an issuer if the provider alone does not determine it. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Identity(String provider, @Nullable String issuer, String subject) {}

    static ExportedUser of(ManagedUser managed, @Nullable String passwordHash, List<Identity> identities) {
        var user = managed.user();
        return new ExportedUser(
                user.id(),
                user.email(),
                user.emailVerified(),
                user.displayName(),
                user.avatarUrl(),
                user.phone(),
                user.phoneVerified(),
                user.isBanned(),
                user.publicMetadata(),
                managed.externalId(),
                managed.privateMetadata(),
                passwordHash,
                user.signInCount(),
                user.lastSignInAt(),
                user.createdAt(),
                user.updatedAt(),
                identities.isEmpty() ? null : identities);
    }

    /** For callers who must not see the data that only servers can see. */
    ExportedUser withoutPrivateMetadata() {
        return new ExportedUser(
                id,
                email,
                emailVerified,
                displayName,
                avatarUrl,
                phone,
                phoneVerified,
                isBanned,
                publicMetadata,
                externalId,
                null,
                passwordHash,
                signInCount,
                lastSignInAt,
                createdAt,
                updatedAt,
                identities);
    }

    /** Redacted, so that no hash reaches a log. */
    @Override
    public String toString() {
        return "ExportedUser[" + id + "]";
    }
}
