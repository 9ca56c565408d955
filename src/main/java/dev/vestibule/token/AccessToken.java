package dev.vestibule.token;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.json.Json;
import dev.vestibule.json.Uuids;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The claims of an access token whose signature was checked (RFC 7519); times are whole seconds.
 *
 * @param authenticatedAt when the user last authenticated; null in an impersonator's tokens, which prove nothing about
 *     the user
 * @param impersonator the dashboard user who acts as the user; null in tokens of the user's own sessions
 * @param organization the one that the token is for; null for none
 * @param hasCustomClaims whether the project's template has added some, which the token's text has
 */
public record AccessToken(
        ProjectId project,
        UserId user,
        SessionId session,
        Instant issuedAt,
        Instant expiresAt,
        @Nullable Instant authenticatedAt,
        List<String> methods,
        @Nullable UserId impersonator,
        @Nullable OrganizationClaims organization,
        boolean hasCustomClaims) {
    public static final String TYPE = "access";

    /** No token of the authorization server has this claim. */
    static final String PROJECT = "projectId";

    private static final String AUTH_TIME = "auth_time";
    private static final String AMR = "amr";
    private static final String ACR = "acr";
    private static final String ACT = "act";
    private static final Set<String> OWN_CLAIMS = Stream.concat(
                    Stream.of("iss", "aud", "sub", PROJECT, "sid", "type", "iat", "exp", AUTH_TIME, AMR, ACR, ACT),
                    OrganizationClaims.NAMES.stream())
            .collect(Collectors.toUnmodifiableSet());

    JsonObject claims(String publicUrl, Map<String, Object> customClaims) {
        var claims = new JsonObject()
                .put("iss", issuer(publicUrl, project))
                .put("aud", project.toString())
                .put("sub", user.toString())
                .put(PROJECT, project.toString())
                .put("sid", session.toString())
                .put("type", TYPE)
                .put("iat", issuedAt.getEpochSecond())
                .put("exp", expiresAt.getEpochSecond());
        if (authenticatedAt != null) {
            claims.put(AUTH_TIME, authenticatedAt.getEpochSecond());
        }
        if (impersonator != null) {
            claims.put(ACT, new JsonObject().put("sub", impersonator.toString()));
        }
        if (!methods.isEmpty()) {
            claims.put(AMR, new JsonArray(methods)).put(ACR, assurance());
        }
        if (organization != null) {
            organization.put(claims);
        }
        customClaims.forEach((name, value) -> {
            if (!OWN_CLAIMS.contains(name)) {
                claims.put(name, value);
            }
        });
        return claims;
    }

    /** Whether more than one factor was asked for. */
    public boolean isMultiFactor() {
        return Authentication.isMultiFactor(methods);
    }

    /** How much the methods prove; null if there are none. */
    public @Nullable String assurance() {
        return Authentication.assurance(methods);
    }

    /** The project as an issuer of tokens, by the server's public URL. */
    static String issuer(String publicUrl, ProjectId project) {
        return publicUrl + issuerPath(project.toString());
    }

    private static String issuerPath(String project) {
        return "/v1/projects/" + project;
    }

    /**
     * Empty if the claims are not those of an access token. The issuer must be the audience's project at any host: its
     * key has signed the claims, and the host changes with {@code publicUrl}, or with the port where that is not set.
     */
    static Optional<AccessToken> read(JsonObject claims) {
        if (!TYPE.equals(claims.getValue("type"))
                || !(claims.getValue("aud") instanceof String audience)
                || !(claims.getValue("iss") instanceof String issuer)
                || !issuer.endsWith(issuerPath(audience))
                || !audience.equals(claims.getValue(PROJECT))
                || claims.containsKey("nbf")) { // this server issues none
            return Optional.empty();
        }
        var project = uuid(claims, "aud");
        var user = uuid(claims, "sub");
        var session = uuid(claims, "sid");
        var issuedAt = seconds(claims, "iat");
        var expiresAt = seconds(claims, "exp");
        var actor = actor(claims);
        if (claims.containsKey(ACT) && actor.isEmpty()) {
            return Optional.empty(); // rather than taking the actor for the user
        }
        var authenticatedAt = seconds(claims, AUTH_TIME);
        if (authenticatedAt.isPresent() == actor.isPresent()) {
            return Optional.empty();
        }
        var organization = OrganizationClaims.read(claims);
        if (OrganizationClaims.areIn(claims) && organization.isEmpty()) {
            return Optional.empty();
        }
        if (project.isEmpty() || user.isEmpty() || session.isEmpty() || issuedAt.isEmpty() || expiresAt.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new AccessToken(
                new ProjectId(project.get()),
                new UserId(user.get()),
                new SessionId(session.get()),
                issuedAt.get(),
                expiresAt.get(),
                authenticatedAt.orElse(null),
                texts(claims, AMR),
                actor.orElse(null),
                organization.orElse(null),
                !OWN_CLAIMS.containsAll(claims.fieldNames())));
    }

    /** The claims that the project's template has added to a token whose signature was checked. */
    public static Map<String, JsonNode> customClaims(String token) {
        var start = token.indexOf('.');
        var claims = new LinkedHashMap<String, JsonNode>();
        object(token.substring(start + 1, token.indexOf('.', start + 1)))
                .ifPresent(all -> all.properties().forEach(claim -> claims.put(claim.getKey(), claim.getValue())));
        claims.keySet().removeAll(OWN_CLAIMS);
        return claims;
    }

    private static Optional<UserId> actor(JsonObject claims) {
        return claims.getValue(ACT) instanceof JsonObject actor
                ? uuid(actor, "sub").map(UserId::new)
                : Optional.empty();
    }

    private static List<String> texts(JsonObject claims, String name) {
        return claims.getValue(name) instanceof JsonArray values
                ? values.stream().map(String::valueOf).toList()
                : List.of();
    }

    /** A whole number within the years that an instant has. */
    private static Optional<Instant> seconds(JsonObject claims, String name) {
        var value = claims.getValue(name);
        if (!(value instanceof Integer || value instanceof Long)) {
            return Optional.empty();
        }
        var seconds = ((Number) value).longValue();
        return seconds < 0 || seconds > Instant.MAX.getEpochSecond()
                ? Optional.empty()
                : Optional.of(Instant.ofEpochSecond(seconds));
    }

    private static Optional<UUID> uuid(JsonObject claims, String name) {
        return claims.getValue(name) instanceof String text ? Uuids.parse(text) : Optional.empty();
    }

    /** The project that an unverified token claims to belong to, to find the key that verifies it. */
    static Optional<ProjectId> claimedProject(String token) {
        var start = token.indexOf('.');
        var end = token.indexOf('.', start + 1);
        return start < 0 || end < 0
                ? Optional.empty()
                : object(token.substring(start + 1, end))
                        .flatMap(claims -> ProjectId.parse(claims.path("aud").asText()));
    }

    /** The key that an unverified token names. */
    static Optional<String> claimedKey(String token) {
        return object(token.substring(0, token.indexOf('.')))
                .map(header -> header.path("kid").textValue());
    }

    private static Optional<ObjectNode> object(String base64url) {
        try {
            return Json.parseOwn(Buffer.buffer(Base64.getUrlDecoder().decode(base64url))) instanceof ObjectNode object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (RuntimeException malformed) {
            return Optional.empty();
        }
    }
}
