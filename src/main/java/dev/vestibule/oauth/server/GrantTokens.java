package dev.vestibule.oauth.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.json.Uuids;
import dev.vestibule.oauth.server.GrantStore.Live;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.SessionId;
import dev.vestibule.token.RefreshToken;
import dev.vestibule.token.RefreshTokens;
import dev.vestibule.token.SignedTokens;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes and reads the tokens of grants: access tokens (RFC 9068), ID tokens, and refresh tokens. */
final class GrantTokens {
    /** RFC 8693, 3. */
    static final String ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";

    private static final String BEARER = "Bearer";
    private static final String DPOP = "DPoP";
    private static final int JTI_BYTES = 9;

    /** The response of the token endpoint (RFC 6749, 5.1; OpenID Connect Core, 3.1.3.3). */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Response(
            @JsonProperty("access_token") String accessToken,
            @JsonProperty("token_type") String tokenType,
            @JsonProperty("expires_in") long expiresIn,
            @JsonProperty("refresh_token") @Nullable String refreshToken,
            @JsonProperty("id_token") @Nullable String idToken,
            @JsonProperty("issued_token_type") @Nullable String issuedTokenType,
            String scope) {
        /** Redacted, so that a token never reaches a log. */
        @Override
        public String toString() {
            return "Response";
        }
    }

    /** An access token whose signature and time are good; whether its grant is live is asked elsewhere. */
    record Presented(UUID grant, Instant expiresAt, Map<String, Object> claims) {
        List<String> audience() {
            return claims.get("aud") instanceof List<?> several
                    ? several.stream().map(String::valueOf).toList()
                    : List.of(String.valueOf(claims.get("aud")));
        }

        /** The user whom it is about, or a client that acts on its own. */
        String subject() {
            return String.valueOf(claims.get("sub"));
        }

        boolean isOfUser() {
            return !subject().equals(claims.get("client_id"));
        }

        /** The thumbprint of the key that it is bound to; empty for a bearer token. */
        Optional<String> key() {
            return claims.get("cnf") instanceof Map<?, ?> confirmation
                    ? Optional.ofNullable(confirmation.get("jkt")).map(String::valueOf)
                    : Optional.empty();
        }

        String type() {
            return tokenType(key().orElse(null));
        }

        /** Whether it was issued to the client, or is meant for this API. */
        boolean concerns(Client client) {
            return client.id().equals(claims.get("client_id"))
                    || (client.kind() == ClientKind.API && audience().contains(client.resource()));
        }

        List<String> scopes() {
            return Arrays.asList(String.valueOf(claims.get("scope")).split(" ", -1));
        }
    }

    private final SignedTokens tokens;
    private final RefreshTokens refreshTokens;
    private final Clock clock;

    GrantTokens(SignedTokens tokens, KeyedHash refreshTokens, Clock clock) {
        this.tokens = tokens;
        this.refreshTokens = new RefreshTokens(refreshTokens);
        this.clock = clock;
    }

    /**
     * The tokens of a live grant.
     *
     * @param asked the scopes of the tokens, among those of the grant; those that no named API has any more are left
     *     out
     * @param named the APIs of the access token, among those of the grant
     * @param key the thumbprint of the key that the access token is bound to; null for a bearer token
     */
    Future<Response> issue(
            Project project, Client client, Live live, List<String> asked, List<Resource> named, @Nullable String key) {
        var grant = live.grant();
        var scopes = AuthorizationRequestReader.scopes(asked, named);
        var resources = named.stream().map(Resource::uri).toList();
        var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var ttl = Collections.min(
                List.of(project.accessTokenTtl(ApiVariant.A), Duration.between(now, grant.expiresAt())));
        return tokens.sign(
                        project.id(),
                        client.idTokenAlgorithm(),
                        SignedTokens.ACCESS_TOKEN,
                        bound(accessClaims(project, client, grant, scopes, resources, now, ttl), key))
                .compose(accessToken -> idToken(project, client, live, scopes, accessToken, now)
                        .map(idToken -> new Response(
                                accessToken,
                                tokenType(key),
                                ttl.toSeconds(),
                                grant.user() == null ? null : refreshToken(project, grant),
                                idToken.orElse(null),
                                null,
                                String.join(" ", scopes))));
    }

    /**
     * An access token alone, of a grant that has one token (RFC 8693, 2.2.1).
     *
     * @param subject whom the exchanged token was about
     * @param actor who acts for the subject, and on whose behalf it does so (RFC 8693, 4.1)
     */
    Future<Response> issueExchanged(
            Project project,
            Client client,
            Grant grant,
            String subject,
            Map<String, Object> actor,
            @Nullable String key) {
        var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var ttl = Duration.between(now, grant.expiresAt());
        var claims = accessClaims(project, client, grant, grant.scopes(), grant.resources(), now, ttl);
        claims.put("sub", subject);
        claims.put("act", actor);
        return tokens.sign(project.id(), client.idTokenAlgorithm(), SignedTokens.ACCESS_TOKEN, bound(claims, key))
                .map(accessToken -> new Response(
                        accessToken,
                        tokenType(key),
                        ttl.toSeconds(),
                        null,
                        null,
                        ACCESS_TOKEN_TYPE,
                        String.join(" ", grant.scopes())));
    }

    /** RFC 9449, 6.1. */
    private static Map<String, Object> bound(Map<String, Object> claims, @Nullable String key) {
        if (key != null) {
            claims.put("cnf", Map.of("jkt", key));
        }
        return claims;
    }

    private static String tokenType(@Nullable String key) {
        return key == null ? BEARER : DPOP;
    }

    private Map<String, Object> accessClaims(
            Project project,
            Client client,
            Grant grant,
            List<String> scopes,
            List<String> resources,
            Instant now,
            Duration ttl) {
        var issuer = tokens.issuer(project.id());
        var user = grant.user();
        var claims = new LinkedHashMap<String, Object>();
        claims.put("iss", issuer);
        claims.put("sub", user == null ? client.id() : user.toString());
        claims.put("aud", resources.isEmpty() ? issuer : resources.size() == 1 ? resources.get(0) : resources);
        claims.put("client_id", client.id());
        claims.put("scope", String.join(" ", scopes));
        claims.put("jti", grant.id() + "." + random());
        claims.put("iat", now.getEpochSecond());
        claims.put("exp", now.plus(ttl).getEpochSecond());
        addAuthentication(claims, grant);
        return claims;
    }

    private static String random() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(RandomSecrets.bytes(JTI_BYTES));
    }

    private static void addAuthentication(Map<String, Object> claims, Grant grant) {
        if (grant.session() != null) {
            claims.put("sid", grant.session().toString());
        }
        if (grant.authenticatedAt() != null) {
            claims.put("auth_time", grant.authenticatedAt().getEpochSecond());
        }
        var assurance = Authentication.assurance(grant.methods());
        if (assurance != null) {
            claims.put("acr", assurance);
            claims.put("amr", grant.methods());
        }
    }

    /** OpenID Connect Core, 2 and 3.1.3.6. */
    private Future<Optional<String>> idToken(
            Project project, Client client, Live live, List<String> scopes, String accessToken, Instant now) {
        var grant = live.grant();
        var user = live.user();
        if (user == null || !scopes.contains(StandardScopes.OPENID)) {
            return Future.succeededFuture(Optional.empty());
        }
        var claims = new LinkedHashMap<String, Object>();
        claims.putAll(StandardScopes.claims(
                user, client.claimsInIdToken() ? scopes : List.of(), Set.copyOf(grant.idTokenClaims())));
        claims.put("iss", tokens.issuer(project.id()));
        claims.put("sub", user.id().toString());
        claims.put("aud", client.id());
        claims.put("azp", client.id());
        claims.put("iat", now.getEpochSecond());
        claims.put("exp", now.plus(project.accessTokenTtl(ApiVariant.A)).getEpochSecond());
        addAuthentication(claims, grant);
        if (grant.nonce() != null) {
            claims.put("nonce", grant.nonce());
        }
        var digest = Sha256.of(accessToken);
        claims.put(
                "at_hash",
                Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, digest.length / 2)));
        return tokens.sign(project.id(), client.idTokenAlgorithm(), SignedTokens.ID_TOKEN, claims)
                .map(Optional::of);
    }

    /** A refresh token has the form of those of sessions, but another key. */
    private String refreshToken(Project project, Grant grant) {
        return refreshTokens.write(new RefreshToken(project.id(), new SessionId(grant.id()), grant.generation()));
    }

    /** A refresh token of this project: the id of its grant, and its generation. */
    record Refresh(UUID grant, int generation) {}

    Optional<Refresh> readRefreshToken(Project project, String text) {
        return refreshTokens
                .read(text)
                .filter(token -> token.project().equals(project.id()))
                .map(token -> new Refresh(token.session().value(), token.generation()));
    }

    /** Empty unless it is a current access token of a grant of this project. */
    Future<Optional<Presented>> readAccessToken(Project project, String text) {
        return readAccessToken(project, text, () -> {});
    }

    /** Like {@link #readAccessToken}; calls the runnable before a signature is checked. */
    Future<Optional<Presented>> readAccessToken(Project project, String text, Runnable beforeCheck) {
        return tokens.verify(project.id(), SignedTokens.ACCESS_TOKEN, text, beforeCheck)
                .map(found -> found.flatMap(this::presented));
    }

    private Optional<Presented> presented(Map<String, Object> claims) {
        var expiresAt = claims.get("exp") instanceof Number exp ? Instant.ofEpochSecond(exp.longValue()) : Instant.MIN;
        return clock.instant().isBefore(expiresAt)
                ? Uuids.parse(String.valueOf(claims.get("jti")).split("\\.", 2)[0])
                        .map(grant -> new Presented(grant, expiresAt, claims))
                : Optional.empty();
    }
}
