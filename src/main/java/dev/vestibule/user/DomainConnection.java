package dev.vestibule.user;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The connection to an organization's own identity provider by which people with an email of its domain sign in.
 *
 * @param provider its name as a provider, for the start of a sign in
 * @param name what the organization calls it
 * @param requiredSince since when they cannot sign in in any other way; null if they can
 */
public record DomainConnection(
        UUID organization,
        String provider,
        String name,
        @Nullable Instant requiredSince) {
    public boolean isRequired() {
        return requiredSince != null;
    }
}
