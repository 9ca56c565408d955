package dev.vestibule.oauth.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.vestibule.crypto.PrivateKeys;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.oauth.catalogue.CatalogueSetting;
import dev.vestibule.oauth.provider.ProviderConnection;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.Date;
import java.util.concurrent.TimeUnit;

/** Apple's client secrets: JWTs signed by the project's own key, valid for an hour and replaced after half an hour. */
final class AppleClientSecret {
    private static final Duration LIFETIME = Duration.ofHours(1); // Apple takes up to six months
    private static final Duration REUSED_FOR = Duration.ofMinutes(30);
    private static final int MAX_SECRETS = 1000;

    private record Key(String clientId, String teamId, String keyId, ByteBuffer privateKeyDigest) {}

    private final Clock clock;
    private final Cache<Key, String> secrets;

    AppleClientSecret(Clock clock) {
        this.clock = clock;
        this.secrets = Caffeine.newBuilder()
                .maximumSize(MAX_SECRETS)
                .expireAfterWrite(REUSED_FOR)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    String of(ProviderConnection connection, ProviderMetadata metadata) {
        var key = new Key(
                connection.settings().clientId(),
                connection.setting(CatalogueSetting.TEAM_ID).orElseThrow(),
                connection.setting(CatalogueSetting.KEY_ID).orElseThrow(),
                ByteBuffer.wrap(Sha256.of(connection.clientSecret())));
        return secrets.get(key, missing -> sign(connection, key, metadata));
    }

    private String sign(ProviderConnection connection, Key ids, ProviderMetadata metadata) {
        var now = clock.instant();
        var header =
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(ids.keyId()).build();
        var claims = new JWTClaimsSet.Builder()
                .issuer(ids.teamId())
                .subject(ids.clientId())
                .audience(metadata.issuer())
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(LIFETIME)))
                .build();
        var token = new SignedJWT(header, claims);
        try {
            token.sign(
                    new ECDSASigner(PrivateKeys.p256(connection.clientSecret()).orElseThrow()));
            return token.serialize();
        } catch (JOSEException failure) {
            throw new IllegalStateException("the private key was validated but cannot sign", failure);
        }
    }
}
