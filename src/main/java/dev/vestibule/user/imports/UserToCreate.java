package dev.vestibule.user.imports;

import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.user.UserId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A user to create, with all the data that another system may have; the fields are in canonical form. */
public record UserToCreate(
        UserId id,
        @Nullable String email,
        @Nullable String displayName,
        @Nullable String avatarUrl,
        @Nullable String phone,
        boolean emailVerified,
        boolean phoneVerified,
        boolean isBanned,
        @Nullable Map<String, Object> publicMetadata,
        @Nullable String externalId,
        @Nullable Map<String, Object> privateMetadata,
        Password password,
        Past past,
        List<Identity> identities,
        boolean hasGivenId) {

    /** The user's account at an identity provider; a null issuer means the one that the project has configured. */
    record Identity(Provider provider, @Nullable String issuer, String subject) {}

    /** At most one of the two: a password to hash, or a hash. */
    record Password(@Nullable String plain, @Nullable String hash) {}

    /** When the user was created, changed and signed in, in the other system or here. */
    record Past(
            Instant createdAt, Instant updatedAt, @Nullable Instant lastSignInAt, int signInCount) {}

    /** Whether nothing but a phone number could sign the user in. */
    boolean lacksEmailAndIdentity() {
        return email == null && identities.isEmpty();
    }

    /** Whether it could, where the project takes codes by SMS. */
    boolean canSignInBySms() {
        return phone != null && phoneVerified;
    }

    /** Whether the external id alone tells that it is the same user as in an earlier run. */
    public boolean isKnownByExternalId() {
        return lacksEmailAndIdentity() && !hasGivenId;
    }

    UserToCreate withPasswordHash(String hash) {
        return new UserToCreate(
                id,
                email,
                displayName,
                avatarUrl,
                phone,
                emailVerified,
                phoneVerified,
                isBanned,
                publicMetadata,
                externalId,
                privateMetadata,
                new Password(null, hash),
                past,
                identities,
                hasGivenId);
    }

    /** Redacted, so that no password reaches a log. */
    @Override
    public String toString() {
        return "UserToCreate[" + id + "]";
    }
}
