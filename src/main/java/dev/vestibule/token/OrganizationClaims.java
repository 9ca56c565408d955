package dev.vestibule.token;

import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.json.Json;
import dev.vestibule.json.Uuids;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.session.SessionPerson.SessionOrganization;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What an access token says about the organization that it is for.
 *
 * @param isTruncated whether the permissions did not fit, so that the token has none of them
 * @param tokenId begins with what the feed of revocations names when the membership or the role ends
 */
public record OrganizationClaims(
        UUID id, String slug, String role, List<String> permissions, boolean isTruncated, String tokenId) {
    /** The limit of the permissions as JSON, since a token travels with every request. */
    private static final int MAX_BYTES = 1024;

    private static final String ID = "org_id";
    private static final String SLUG = "org_slug";
    private static final String ROLE = "org_role";
    private static final String PERMISSIONS = "org_permissions";
    private static final String TRUNCATED = "org_permissions_truncated";
    private static final String TOKEN_ID = "jti";
    private static final int RANDOM_BYTES = 9;
    static final Set<String> NAMES = Set.of(ID, SLUG, ROLE, PERMISSIONS, TRUNCATED, TOKEN_ID);

    static OrganizationClaims of(SessionOrganization organization, OrganizationRoles roles) {
        var permissions = List.copyOf(roles.permissionsOf(organization.role()));
        var fits = Json.encode(permissions).length() <= MAX_BYTES;
        return new OrganizationClaims(
                organization.id(),
                organization.slug(),
                organization.role(),
                fits ? permissions : List.of(),
                !fits,
                organization.tokenId() + "."
                        + Base64.getUrlEncoder().withoutPadding().encodeToString(RandomSecrets.bytes(RANDOM_BYTES)));
    }

    void put(JsonObject claims) {
        claims.put(ID, id.toString()).put(SLUG, slug).put(ROLE, role).put(TOKEN_ID, tokenId);
        if (isTruncated) {
            claims.put(TRUNCATED, true);
        } else {
            claims.put(PERMISSIONS, new JsonArray(permissions));
        }
    }

    static boolean areIn(JsonObject claims) {
        return NAMES.stream().anyMatch(claims::containsKey);
    }

    /** Empty if they are not what {@link #put} writes: then the whole token is worth nothing. */
    static Optional<OrganizationClaims> read(JsonObject claims) {
        if (!(claims.getValue(ID) instanceof String idText)
                || !(claims.getValue(SLUG) instanceof String slug)
                || !(claims.getValue(ROLE) instanceof String role)
                || !(claims.getValue(TOKEN_ID) instanceof String tokenId)) {
            return Optional.empty();
        }
        var isTruncated = Boolean.TRUE.equals(claims.getValue(TRUNCATED));
        var permissions = claims.getValue(PERMISSIONS) instanceof JsonArray given
                ? given.stream().map(String::valueOf).toList()
                : List.<String>of();
        return Uuids.parse(idText).map(id -> new OrganizationClaims(id, slug, role, permissions, isTruncated, tokenId));
    }
}
