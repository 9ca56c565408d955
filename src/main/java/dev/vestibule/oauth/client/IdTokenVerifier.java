package dev.vestibule.oauth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.DefaultJOSEProcessor;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.SignedJWT;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import dev.vestibule.oauth.catalogue.CatalogueSetting;
import dev.vestibule.oauth.jose.PublishedKey;
import dev.vestibule.oauth.provider.ProviderConnection;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Verifies ID tokens (OpenID Connect Core, 3.1.3.7): the signature by an allowed algorithm and a key of the issuer, the
 * issuer, the audience, the times, and the nonce of our own request.
 */
final class IdTokenVerifier {
    /** The Microsoft tenant of all personal accounts, as Microsoft's page on access tokens says. */
    private static final String PERSONAL_TENANT = "9188040d-6c67-4c5b-b112-36a304b66dad";

    private final ProviderKeys publicKeys;
    private final Clock clock;
    private final Duration leeway;

    IdTokenVerifier(ProviderKeys publicKeys, Clock clock, Duration leeway) {
        this.publicKeys = publicKeys;
        this.clock = clock;
        this.leeway = leeway;
    }

    /**
     * What a token must say about the sign in that it is for.
     *
     * @param clientIds the applications; the token must be for one of them
     * @param nonce null if the sign in had none
     * @param maxAge how long ago it may have been issued; null for as long as it is valid
     * @param signedInSince when the person has signed in at the earliest, if the token says so; null for any time
     */
    record Expected(
            Collection<String> clientIds,
            @Nullable String nonce,
            @Nullable Duration maxAge,
            @Nullable Instant signedInSince) {
        /** For a token that came directly from the provider, for the code of our own request. */
        static Expected ofCode(ProviderConnection connection, CodeExchange exchange) {
            return new Expected(
                    List.of(connection.settings().clientId()), exchange.nonce(), null, exchange.signedInSince());
        }
    }

    /** The token's verified claims; a 401 if the token is not valid. */
    Future<JsonNode> verify(ProviderConnection connection, ProviderMetadata metadata, String text, Expected expected) {
        var token = parse(connection, text);
        var algorithm = token.getHeader().getAlgorithm();
        if (!metadata.algorithms().contains(algorithm)) {
            return Future.failedFuture(
                    ProviderException.unproven(connection, "the ID token's algorithm is not allowed"));
        }
        var unverified = claims(connection, token);
        return isSymmetric(algorithm)
                ? Future.succeededFuture()
                        .map(ignored -> checkSecret(connection, token))
                        .map(verified -> check(connection, metadata, unverified, expected))
                : publicKeys
                        .find(
                                connection,
                                jwksUri(connection, metadata),
                                token.getHeader().getKeyID())
                        .map(keys -> checkSignature(connection, token, keys, unverified))
                        .map(verified -> check(connection, metadata, unverified, expected));
    }

    private static URI jwksUri(ProviderConnection connection, ProviderMetadata metadata) {
        var uri = metadata.jwksUri();
        if (uri == null) {
            throw ProviderException.unusable(connection, "it publishes no keys");
        }
        return uri;
    }

    private static boolean isSymmetric(JWSAlgorithm algorithm) {
        return JWSAlgorithm.Family.HMAC_SHA.contains(algorithm);
    }

    /** Rejects unsigned and encrypted tokens too: neither is a compact JWS. */
    private static SignedJWT parse(ProviderConnection connection, String text) {
        try {
            return SignedJWT.parse(text);
        } catch (ParseException malformed) {
            throw ProviderException.unproven(connection, "the ID token is not a signed JWT");
        }
    }

    private static JsonNode claims(ProviderConnection connection, SignedJWT token) {
        try {
            var claims = Json.parse(Buffer.buffer(token.getPayload().toBytes()));
            if (claims.isObject()) {
                return claims;
            }
        } catch (MalformedJsonException malformed) {
            // reported below, like JSON that is not an object
        }
        throw ProviderException.unproven(connection, "the ID token holds no claims");
    }

    /** The key is the client secret alone, never a published key (OpenID Connect Core, 10.1). */
    private static boolean checkSecret(ProviderConnection connection, SignedJWT token) {
        try {
            if (token.verify(new MACVerifier(connection.clientSecret().getBytes(StandardCharsets.UTF_8)))) {
                return true;
            }
        } catch (JOSEException unusable) {
            throw ProviderException.misconfigured(connection, "its ID token cannot be checked with the client secret");
        }
        throw ProviderException.unproven(connection, "the ID token's signature is wrong");
    }

    private static boolean checkSignature(
            ProviderConnection connection, SignedJWT token, List<PublishedKey> keys, JsonNode claims) {
        var issuer = claims.path("iss").asText();
        var tenant = claims.path("tid").asText();
        List<JWK> matching = keys.stream()
                .filter(key -> key.isFor(issuer, tenant))
                .map(PublishedKey::jwk)
                .toList();
        var processor = new DefaultJOSEProcessor<SecurityContext>();
        processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, null));
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(
                token.getHeader().getAlgorithm(), new ImmutableJWKSet<>(new JWKSet(matching))));
        try {
            processor.process(token, null);
            return true;
        } catch (BadJOSEException | JOSEException wrong) {
            throw ProviderException.unproven(
                    connection, "the ID token's signature is wrong, or made with a key that is not published");
        }
    }

    private JsonNode check(
            ProviderConnection connection, ProviderMetadata metadata, JsonNode claims, Expected expected) {
        if (!isIssuer(connection, metadata, claims)) {
            throw ProviderException.unproven(connection, "the ID token is from another issuer");
        }
        if (expected.clientIds().stream().noneMatch(clientId -> isForUs(claims, clientId))) {
            throw ProviderException.unproven(connection, "the ID token is for another application");
        }
        var now = clock.instant().getEpochSecond();
        var leewaySeconds = leeway.toSeconds();
        if (!isTime(claims, "exp") || claims.path("exp").asLong() + leewaySeconds <= now) {
            throw ProviderException.unproven(connection, "the ID token is expired");
        }
        if (!isTime(claims, "iat") || claims.path("iat").asLong() - leewaySeconds > now) {
            throw ProviderException.unproven(connection, "the ID token was issued in the future");
        }
        if (claims.has("nbf") && (!isTime(claims, "nbf") || claims.path("nbf").asLong() - leewaySeconds > now)) {
            throw ProviderException.unproven(connection, "the ID token is not valid yet");
        }
        var maxAge = expected.maxAge();
        if (maxAge != null && claims.path("iat").asLong() + maxAge.toSeconds() + leewaySeconds <= now) {
            throw ProviderException.unproven(connection, "the ID token was issued too long ago");
        }
        var since = expected.signedInSince();
        if (since != null
                && claims.hasNonNull("auth_time")
                && (!isTime(claims, "auth_time")
                        || claims.path("auth_time").asLong() + leewaySeconds < since.getEpochSecond())) {
            throw ProviderException.unproven(connection, "the person did not sign in there again");
        }
        var nonce = expected.nonce();
        if (nonce != null && !nonce.equals(claims.path("nonce").textValue())) {
            throw ProviderException.unproven(connection, "the ID token is for another sign in");
        }
        return claims;
    }

    private static boolean isIssuer(ProviderConnection connection, ProviderMetadata metadata, JsonNode claims) {
        var tenant = Objects.requireNonNullElse(claims.path("tid").textValue(), "");
        var expected = Objects.requireNonNullElse(metadata.issuer(), "").replace("{tid}", tenant);
        return expected.equals(claims.path("iss").textValue())
                && admits(connection.setting(CatalogueSetting.TENANT), tenant);
    }

    /**
     * Whether an account belongs to the Microsoft tenant that the project has chosen. A tenant's endpoints issue tokens
     * for its own accounts only; this check does not rely on that.
     */
    private static boolean admits(Optional<String> setting, String tenant) {
        return switch (setting.orElse("common")) {
            case "common" -> true;
            case "consumers" -> tenant.equals(PERSONAL_TENANT);
            case "organizations" -> !tenant.equals(PERSONAL_TENANT);
            default -> setting.filter(tenant::equals).isPresent();
        };
    }

    /** A token with several audiences must name us as the authorized party. */
    private static boolean isForUs(JsonNode claims, String clientId) {
        var audience = claims.path("aud");
        var party = claims.path("azp");
        if (!party.isMissingNode() && !clientId.equals(party.textValue())) {
            return false;
        }
        if (!audience.isArray()) {
            return clientId.equals(audience.textValue());
        }
        for (var one : audience) {
            if (clientId.equals(one.textValue())) {
                return audience.size() == 1 || !party.isMissingNode();
            }
        }
        return false;
    }

    private static boolean isTime(JsonNode claims, String name) {
        return claims.path(name).isNumber() && claims.path(name).canConvertToLong();
    }
}
