package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.oauth.jose.DpopProof;
import dev.vestibule.project.UsedOnceStore;
import dev.vestibule.project.UsedOnceStore.Kind;
import dev.vestibule.token.SignedTokens;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks by which key a client proves who it is, with a proof that works once (RFC 9449). */
final class DpopProofs {
    private static final String HEADER = "DPoP";
    private static final Duration LEEWAY = Duration.ofSeconds(60);
    private static final int MAX_PROOF = 8192;
    private static final int MAX_ID = 255;

    private final Database database;
    private final SignedTokens tokens;
    private final UsedOnceStore used = new UsedOnceStore();
    private final Clock clock;

    DpopProofs(Database database, SignedTokens tokens, Clock clock) {
        this.database = database;
        this.tokens = tokens;
        this.clock = clock;
    }

    /**
     * The thumbprint of the key; empty for a request without a proof. Fails with {@code invalid_dpop_proof} otherwise.
     *
     * @param path of the endpoint, below the issuer
     * @param accessToken that is used with the proof; null for none
     */
    Future<Optional<String>> check(ApiRequest request, String path, @Nullable String accessToken) {
        var given = request.http().headers().getAll(HEADER);
        if (given.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        if (given.size() > 1 || given.get(0).length() > MAX_PROOF) {
            return refuse("There must be one DPoP header, of at most " + MAX_PROOF + " characters.");
        }
        var parsed = DpopProof.parse(given.get(0));
        if (parsed.isEmpty()) {
            return refuse(
                    "The DPoP header must be a JWT of the type dpop+jwt, signed with the public key in its header.");
        }
        var proof = parsed.get();
        var project = request.project().id();
        var url = tokens.issuer(project) + path;
        var method = request.http().method().name();
        if (!proof.text("htm").equals(method) || !proof.url().equals(url)) {
            return refuse("The htm and htu of the proof must be " + method + " and " + url + ".");
        }
        if (!proof.isMadeWithin(LEEWAY, clock.instant())) {
            return refuse(
                    "The iat of the proof must be within " + LEEWAY.toSeconds() + " seconds of the server's time.");
        }
        if (accessToken != null && !proof.text("ath").equals(hash(accessToken))) {
            return refuse("The ath of the proof must be the hash of the access token.");
        }
        var id = proof.text("jti");
        if (id.isEmpty() || id.length() > MAX_ID) {
            return refuse("The proof needs a jti of at most " + MAX_ID + " characters.");
        }
        var thumbprint = proof.thumbprint();
        return used.take(
                        database.writes(),
                        project,
                        Kind.PROOF,
                        Sha256.of("dpop\n" + thumbprint + "\n" + id),
                        clock.instant().plus(LEEWAY).plus(LEEWAY))
                .compose(isFirst -> isFirst
                        ? Future.succeededFuture(Optional.of(thumbprint))
                        : refuse("The proof was used before."));
    }

    private static String hash(String accessToken) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(accessToken));
    }

    private static <T> Future<T> refuse(String why) {
        return Future.failedFuture(OauthError.of(OauthError.INVALID_PROOF, why));
    }
}
