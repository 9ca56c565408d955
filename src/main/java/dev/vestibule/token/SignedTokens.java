package dev.vestibule.token;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.json.Json;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.text.ParseException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/**
 * Signs and verifies the tokens of the authorization server, under the project's keys: access tokens (RFC 9068), ID
 * tokens (OpenID Connect Core) and logout tokens. The type in the header keeps them apart. As with
 * {@link AccessTokens}, the result of a signature check is cached, and whether the key has been revoked is asked every
 * time.
 */
public final class SignedTokens {
    public static final String ACCESS_TOKEN = "at+jwt";
    public static final String ID_TOKEN = "JWT";
    public static final String LOGOUT_TOKEN = "logout+jwt";

    private static final int MAX_LENGTH = 16_384;
    private static final int SIGNERS = 1000;

    /** A key with the header of its tokens of one type, which is written once. */
    private record Signer(JWSHeader header, JWSSigner signer) {}

    private record SignerKey(String keyId, String type) {}

    private record Verified(ProjectId project, String type, String keyId, Map<String, Object> claims) {}

    private final Database database;
    private final KeySets keySets;
    private final RsaKeys rsaKeys;
    private final String publicUrl;
    private final Clock clock;
    private final Cache<ByteBuffer, Verified> verified;
    private final Cache<SignerKey, Signer> signers =
            Caffeine.newBuilder().maximumSize(SIGNERS).build();

    SignedTokens(Database database, KeySets keySets, RsaKeys rsaKeys, String publicUrl, Clock clock, int cacheSize) {
        this.database = database;
        this.keySets = keySets;
        this.rsaKeys = rsaKeys;
        this.publicUrl = publicUrl;
        this.clock = clock;
        this.verified = Caffeine.newBuilder()
                .maximumSize(cacheSize)
                .executor(Runnable::run) // to wake a thread of the common pool costs more than the maintenance
                .build();
    }

    /** The project as an issuer: an absolute URL. */
    public String issuer(ProjectId project) {
        return AccessToken.issuer(publicUrl, project);
    }

    /** A token of this type with these claims; the algorithm is ES256 or RS256. */
    public Future<String> sign(ProjectId project, String algorithm, String type, Map<String, Object> claims) {
        return key(project, algorithm).map(key -> sign(key, type, claims));
    }

    private Future<SigningKey> key(ProjectId project, String algorithm) {
        return algorithm.equals(SigningKey.RSA_ALGORITHM)
                ? rsaKeys.signer(project)
                : keySets.find(database.reads(), project)
                        .map(found -> found.flatMap(keys -> keys.signingKey(algorithm, clock.instant()))
                                .orElseThrow(
                                        () -> ApiException.of(ErrorCode.PROJECT_DELETED, "The project was deleted.")));
    }

    private String sign(SigningKey key, String type, Map<String, Object> claims) {
        var signer = signers.get(new SignerKey(key.id(), type), unknown -> signer(key, type));
        var token = new JWSObject(
                signer.header(),
                new Payload(Base64URL.encode(Json.encode(claims).getBytes())));
        try {
            token.sign(signer.signer());
        } catch (JOSEException impossible) {
            throw new IllegalStateException("the key fits its algorithm", impossible);
        }
        return token.serialize();
    }

    private static Signer signer(SigningKey key, String type) {
        var header = new JWSHeader.Builder(JWSAlgorithm.parse(key.algorithm()))
                .type(new JOSEObjectType(type))
                .keyID(key.id())
                .build();
        try {
            var jwk = key.privateJwk().orElseThrow().getMap();
            return new Signer(
                    new JWSHeader.Builder(header)
                            .parsedBase64URL(header.toBase64URL())
                            .build(),
                    key.algorithm().equals(SigningKey.RSA_ALGORITHM)
                            ? new RSASSASigner(RSAKey.parse(jwk))
                            : new ECDSASigner(ECKey.parse(jwk)));
        } catch (ParseException | JOSEException impossible) {
            throw new IllegalStateException("this server has made the key", impossible);
        }
    }

    /**
     * The claims of a token of this type that the project has signed; expired or not, and an ID token even if its key
     * is retired, since sessions last longer. Empty for any other text. The issuer is exact: other servers may have
     * keys of the same project. The access tokens of {@link AccessTokens}, which the same keys sign, are of the type of
     * ID tokens, but name their project.
     */
    public Future<Optional<Map<String, Object>>> verify(ProjectId project, String type, String text) {
        return verify(project, type, text, () -> {});
    }

    /** Like {@link #verify}; calls the runnable before a signature is checked, which it can prevent by throwing. */
    public Future<Optional<Map<String, Object>>> verify(
            ProjectId project, String type, String text, Runnable beforeCheck) {
        if (text.length() > MAX_LENGTH) {
            return Future.succeededFuture(Optional.empty());
        }
        var digest = ByteBuffer.wrap(Sha256.of(text));
        var known = verified.getIfPresent(digest);
        if (known != null) {
            return known.project().equals(project) && known.type().equals(type)
                    ? keySets.contains(database.reads(), project, known.keyId())
                            .map(valid -> valid ? Optional.of(known.claims()) : Optional.empty())
                    : Future.succeededFuture(Optional.empty());
        }
        JWSObject token;
        try {
            token = JWSObject.parse(text);
        } catch (ParseException | IllegalArgumentException malformed) {
            return Future.succeededFuture(Optional.empty());
        }
        var keyId = token.getHeader().getKeyID();
        if (keyId == null
                || token.getHeader().getType() == null
                || !token.getHeader().getType().getType().equals(type)) {
            return Future.succeededFuture(Optional.empty());
        }
        beforeCheck.run();
        return keySets.find(database.reads(), project)
                .map(keys -> keys.flatMap(found -> type.equals(ID_TOKEN) ? found.keyOrRetired(keyId) : found.key(keyId))
                        .flatMap(key -> check(token, key)))
                .map(claims -> claims.filter(good -> issuer(project).equals(good.get("iss")))
                        .filter(good -> !good.containsKey(AccessToken.PROJECT)))
                .onSuccess(claims ->
                        claims.ifPresent(good -> verified.put(digest, new Verified(project, type, keyId, good))));
    }

    private static Optional<Map<String, Object>> check(JWSObject token, SigningKey key) {
        if (!token.getHeader().getAlgorithm().getName().equals(key.algorithm())) {
            return Optional.empty();
        }
        try {
            var jwk = key.publicJwk().getMap();
            JWSVerifier verifier = key.algorithm().equals(SigningKey.RSA_ALGORITHM)
                    ? new RSASSAVerifier(RSAKey.parse(jwk))
                    : new ECDSAVerifier(ECKey.parse(jwk));
            return token.verify(verifier)
                    ? Optional.ofNullable(token.getPayload().toJSONObject())
                    : Optional.empty();
        } catch (ParseException | JOSEException unusable) {
            return Optional.empty();
        }
    }
}
