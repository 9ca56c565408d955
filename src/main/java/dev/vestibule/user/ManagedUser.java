package dev.vestibule.user;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A user as the application's servers see it: with the data that the application keeps for itself. Only the management
 * of users returns it, and to viewers {@linkplain #withoutPrivateMetadata without} that data. No webhook contains it.
 */
public record ManagedUser(
        @JsonUnwrapped User user,
        @Nullable String externalId,
        @Nullable Map<String, Object> privateMetadata,
        boolean mfaEnabled) {
    ManagedUser(User user, @Nullable Map<String, Object> privateMetadata) {
        this(user, user.externalId(), privateMetadata, !user.secondFactors().isEmpty());
    }

    ManagedUser withoutPrivateMetadata() {
        return new ManagedUser(user, externalId, null, mfaEnabled);
    }

    /** Redacted, so that no metadata reaches a log. */
    @Override
    public String toString() {
        return "ManagedUser[" + user.id() + "]";
    }
}
