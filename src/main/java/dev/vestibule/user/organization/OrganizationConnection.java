package dev.vestibule.user.organization;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.oauth.catalogue.Provider;
import java.time.Instant;
import java.util.UUID;

/**
 * An organization's own identity provider (OpenID Connect), without the client secret.
 *
 * @param provider its name as a provider, for the start of a sign in
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record OrganizationConnection(
        UUID id,
        OrganizationId organizationId,
        String name,
        Provider provider,
        String issuer,
        String clientId,
        boolean enabled,
        Instant createdAt,
        Instant updatedAt) {}
