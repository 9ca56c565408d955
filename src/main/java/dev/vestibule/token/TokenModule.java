package dev.vestibule.token;

import dev.vestibule.access.Floor;
import dev.vestibule.config.TokenSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.revocation.RevocationHandler;
import dev.vestibule.token.template.JwtTemplateHandler;
import java.time.Clock;
import java.time.Duration;

/** Builds everything that tokens need. */
public final class TokenModule {
    public final SigningKeyStore signingKeys;
    public final AccessTokens accessTokens;
    public final RefreshTokens refreshTokens;
    public final TokenIssuer issuer;
    /** The tokens of the authorization server. */
    public final SignedTokens signedTokens;

    public final SigningKeyHandler signingKeyOperations;
    public final JwtTemplateHandler templateOperations;
    public final RevocationHandler revocations;
    private final Floor floor;
    private final TokenSettings settings;
    private final String publicUrl;
    private final KeySets keySets;
    private final Clock clock;

    public TokenModule(Floor floor, SessionModule sessions) {
        this.floor = floor;
        this.settings = floor.settings().tokens();
        this.clock = floor.clock();
        this.publicUrl = floor.settings().publicUrl().toString();
        var database = floor.database();
        var changes = new ProjectChanges(database, floor.feed());
        this.signingKeys = new SigningKeyStore(sealer(floor.masterKeys()));
        this.keySets = new KeySets(
                floor.vertx(),
                signingKeys,
                floor.feed(),
                floor.settings().projects().cacheSize());
        this.accessTokens = new AccessTokens(keySets, publicUrl, clock, settings.cacheSize());
        this.refreshTokens = new RefreshTokens(new KeyedHash(floor.masterKeys(), "refresh tokens"));
        this.issuer = new TokenIssuer(accessTokens, refreshTokens, floor.meters().tokens);
        this.signedTokens = signedTokens(database);
        this.signingKeyOperations = new SigningKeyHandler(
                database, changes, keySets, signingKeys, rsaKeys(database), settings.maxSigningKeys(), clock);
        this.templateOperations = new JwtTemplateHandler(database, changes, sessions.store, issuer, clock);
        this.revocations = new RevocationHandler(
                database, floor.feed(), settings.waitingPerProject(), settings.waitingInTotal(), clock);
        floor.meters().tokens.register(revocations::waiting);
    }

    private RsaKeys rsaKeys(Database database) {
        return new RsaKeys(
                database,
                new ProjectChanges(database, floor.feed()),
                keySets,
                signingKeys,
                floor.workers(),
                clock,
                Duration.ofDays(settings.signingKeyDays()));
    }

    /** The tokens of the authorization server, for work that has connections of its own. */
    public SignedTokens signedTokens(Database database) {
        return new SignedTokens(database, keySets, rsaKeys(database), publicUrl, clock, settings.cacheSize());
    }

    /** Seals signing keys. */
    public static Sealer sealer(MasterKeys masterKeys) {
        return new Sealer(masterKeys, "signing keys");
    }

    public KeyRotation keyRotation(Database database) {
        return new KeyRotation(database, signingKeys, clock, Duration.ofDays(settings.signingKeyDays()));
    }
}
