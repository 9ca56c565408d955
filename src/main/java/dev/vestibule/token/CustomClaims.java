package dev.vestibule.token;

import dev.vestibule.json.Json;
import dev.vestibule.json.Timestamps;
import dev.vestibule.json.UnicodeText;
import dev.vestibule.project.ClaimRule;
import dev.vestibule.session.SessionPerson;
import dev.vestibule.session.SessionPerson.SessionOrganization;
import dev.vestibule.telemetry.metrics.TokenMeters;
import dev.vestibule.user.User;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The claims that a project adds to an access token, read from those that the token is for. */
public final class CustomClaims {
    /**
     * The limit of all of them as JSON. A token travels with every request, and most servers accept headers of up to 8
     * KiB.
     */
    public static final int MAX_BYTES = 4096;

    /** The claims of tokens themselves and of the protocols around them (RFC 7519, 8693, 9068; OpenID Connect Core). */
    private static final Set<String> RESERVED = Set.of(
            "iss",
            "sub",
            "aud",
            "exp",
            "nbf",
            "iat",
            "jti",
            "sid",
            "type",
            "typ",
            "projectid",
            "auth_time",
            "amr",
            "acr",
            "act",
            "may_act",
            "azp",
            "client_id",
            "scope",
            "scp",
            "nonce",
            "at_hash",
            "c_hash",
            "cnf",
            "events",
            "org_id",
            "org_slug",
            "org_role",
            "org_permissions",
            "org_permissions_truncated");

    private static final String METADATA = "publicMetadata";
    private static final Set<String> FIELDS = Set.of(
            "id",
            "email",
            "displayName",
            "avatarUrl",
            "phone",
            "externalId",
            "emailVerified",
            "phoneVerified",
            "createdAt",
            METADATA,
            "organization.id",
            "organization.slug",
            "organization.role");

    private CustomClaims() {}

    /** Whether the claim is one that a template must not set, in any letter case. */
    public static boolean isReserved(String key) {
        return RESERVED.contains(UnicodeText.lowerAscii(key));
    }

    /**
     * Whether it is a field of the user or the organization that a claim can contain, or a path into the public
     * metadata.
     */
    public static boolean isSource(String source) {
        return FIELDS.contains(source) || source.startsWith(METADATA + ".");
    }

    /**
     * Applies the rules to the user and the organization. Leaves out claims without a value, and claims that no longer
     * fit: no sign in must fail because a user's metadata has grown.
     */
    static Map<String, Object> of(List<ClaimRule> rules, SessionPerson person, TokenMeters meters) {
        return of(rules, person.user(), person.organization(), meters);
    }

    static Map<String, Object> of(
            List<ClaimRule> rules, User user, @Nullable SessionOrganization organization, TokenMeters meters) {
        if (rules.isEmpty()) {
            return Map.of();
        }
        var claims = new LinkedHashMap<String, Object>();
        var room = MAX_BYTES;
        for (var rule : rules) {
            var value = rule.source() == null ? rule.value() : read(rule.source(), user, organization);
            if (value != null && !isReserved(rule.key())) {
                var size = size(rule.key(), value);
                if (size <= room) {
                    claims.put(rule.key(), value);
                    room -= size;
                } else {
                    meters.claimLeftOut();
                }
            }
        }
        return claims;
    }

    /** The size as JSON in bytes, with the braces or the comma around it. */
    public static int size(String key, Object value) {
        return Json.encode(Map.of(key, value)).length();
    }

    private static @Nullable Object read(String source, User user, @Nullable SessionOrganization organization) {
        return switch (source) {
            case "organization.id" ->
                organization == null ? null : organization.id().toString();
            case "organization.slug" -> organization == null ? null : organization.slug();
            case "organization.role" -> organization == null ? null : organization.role();
            case "id" -> user.id().toString();
            case "email" -> user.email();
            case "displayName" -> user.displayName();
            case "avatarUrl" -> user.avatarUrl();
            case "phone" -> user.phone();
            case "externalId" -> user.externalId();
            case "emailVerified" -> user.emailVerified();
            case "phoneVerified" -> user.phoneVerified();
            case "createdAt" -> Timestamps.format(user.createdAt());
            case METADATA -> user.publicMetadata();
            default -> ofPath(source, user.publicMetadata());
        };
    }

    private static @Nullable Object ofPath(String source, @Nullable Object metadata) {
        var value = metadata;
        for (var name : source.substring(METADATA.length() + 1).split("\\.", -1)) {
            value = value instanceof Map<?, ?> object ? object.get(name) : null;
        }
        return value;
    }
}
