package dev.vestibule.token;

import dev.vestibule.config.Settings;
import dev.vestibule.config.TokenSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.telemetry.metrics.TokenMeters;
import dev.vestibule.token.template.JwtTemplateHandler;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;

/** Builds everything that tokens need, once for all event loops. */
public final class TokenModule {
    private final SigningKeyStore signingKeys;
    private final KeySets keySets;
    private final AccessTokens accessTokens;
    private final RefreshTokens refreshTokens;
    private final TokenIssuer issuer;
    private final ChangeFeed feed;
    private final TokenSettings settings;
    private final String publicUrl;
    private final Clock clock;

    public TokenModule(
            Vertx vertx, ChangeFeed feed, MasterKeys masterKeys, Settings settings, TokenMeters meters, Clock clock) {
        this.publicUrl = settings.publicUrl().toString();
        this.signingKeys = new SigningKeyStore(sealer(masterKeys));
        this.keySets = new KeySets(vertx, signingKeys, feed, settings.projects().cacheSize());
        this.accessTokens =
                new AccessTokens(keySets, publicUrl, clock, settings.tokens().cacheSize());
        this.refreshTokens = new RefreshTokens(new KeyedHash(masterKeys, "refresh tokens"));
        this.issuer = new TokenIssuer(accessTokens, refreshTokens, meters);
        this.feed = feed;
        this.settings = settings.tokens();
        this.clock = clock;
    }

    /** Seals signing keys. */
    public static Sealer sealer(MasterKeys masterKeys) {
        return new Sealer(masterKeys, "signing keys");
    }

    public SigningKeyStore signingKeys() {
        return signingKeys;
    }

    public KeySets keySets() {
        return keySets;
    }

    public AccessTokens accessTokens() {
        return accessTokens;
    }

    public RefreshTokens refreshTokens() {
        return refreshTokens;
    }

    public TokenIssuer issuer() {
        return issuer;
    }

    public SigningKeyHandler signingKeyOperations(Database database) {
        var changes = new ProjectChanges(database, feed);
        return new SigningKeyHandler(
                database, changes, keySets, signingKeys, publicUrl, settings.maxSigningKeys(), clock);
    }

    public JwtTemplateHandler templateOperations(Database database) {
        return new JwtTemplateHandler(database, new ProjectChanges(database, feed), issuer, clock);
    }

    public KeyRotation keyRotation(Database database) {
        return new KeyRotation(database, signingKeys, clock, Duration.ofDays(settings.signingKeyDays()));
    }
}
