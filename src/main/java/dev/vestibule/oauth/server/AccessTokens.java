package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.http.AbandonedRequest;
import dev.vestibule.oauth.server.GrantStore.Live;
import dev.vestibule.oauth.server.GrantTokens.Presented;
import dev.vestibule.user.key.UserKeys;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** Access tokens that come back: whether they are still worth anything, and to whom. */
final class AccessTokens {
    private static final String BEARER = "bearer ";
    private static final String DPOP = "dpop ";

    private final GrantTokens tokens;
    private final Grants grants;
    private final UserKeys userKeys;
    private final DpopProofs proofs;

    AccessTokens(GrantTokens tokens, Grants grants, UserKeys userKeys, DpopProofs proofs) {
        this.tokens = tokens;
        this.grants = grants;
        this.userKeys = userKeys;
        this.proofs = proofs;
    }

    /** A current access token, and its live grant. */
    record Known(Presented token, Live live) {}

    /** Empty unless it is a current access token of a live grant. */
    Future<Optional<Known>> find(ApiRequest request, String text) {
        return find(request, text, () -> {});
    }

    private Future<Optional<Known>> find(ApiRequest request, String text, Runnable beforeCheck) {
        return tokens.readAccessToken(request.project(), text, beforeCheck)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : find(request, found.get().grant()).map(live -> live.map(own -> new Known(found.get(), own))));
    }

    /** A live grant. */
    Future<Optional<Live>> find(ApiRequest request, UUID grant) {
        return grants.find(request.project().id(), grant, isGone(request));
    }

    private static BooleanSupplier isGone(ApiRequest request) {
        return () -> AbandonedRequest.is(request.context());
    }

    /** A current access token of a live grant, or of a user's API key; empty for every other text. */
    Future<Optional<Presented>> current(ApiRequest request, String text) {
        return tokens.readAccessToken(request.project(), text)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(found)
                        : grants.isLive(request.project().id(), found.get().grant(), isGone(request))
                                .compose(isLive -> isLive
                                        ? Future.succeededFuture(true)
                                        : userKeys.isLive(
                                                request.project().id(),
                                                found.get().grant()))
                                .map(isLive -> isLive ? found : Optional.empty()));
    }

    /** How an access token came: in the way of those that are bound to a key, or in that of all others. */
    private record Credentials(String token, boolean isProved) {
        @Override
        public String toString() {
            return "Credentials";
        }
    }

    /**
     * The token with which the caller uses an endpoint of ours; fails with a challenge. Forged ones count as the bad
     * credentials of other routes do: checking a signature is work.
     *
     * @param path of the endpoint, below the issuer
     */
    Future<Known> use(ApiRequest request, String path) {
        var given = credentials(request).orElseThrow(OauthError::noToken);
        return find(request, given.token(), request::beforeLookup)
                .map(found -> {
                    if (found.isEmpty()) {
                        request.countBadCredentials();
                    }
                    return found.orElseThrow(OauthError::invalidToken);
                })
                .compose(known ->
                        requireKey(request, path, given, known.token().key()).map(known));
    }

    /** In the header, or in the form (RFC 6750, 2.1 and 2.2), but not in both. */
    private static Optional<Credentials> credentials(ApiRequest request) {
        var inHeader = inHeader(request, BEARER)
                .map(token -> new Credentials(token, false))
                .or(() -> inHeader(request, DPOP).map(token -> new Credentials(token, true)));
        var isForm = request.http().method().equals(HttpMethod.POST) && FormAnswers.isForm(request);
        var inForm = isForm ? new Parameters(request.form()).find("access_token") : Optional.<String>empty();
        if (inHeader.isPresent() && inForm.isPresent()) {
            throw OauthError.invalidRequest("The access token is sent in two ways.");
        }
        return inHeader.or(() -> inForm.map(token -> new Credentials(token, false)));
    }

    private static Optional<String> inHeader(ApiRequest request, String scheme) {
        var header = request.header(HttpHeaders.AUTHORIZATION);
        return header != null && header.regionMatches(true, 0, scheme, 0, scheme.length())
                ? Optional.of(header.substring(scheme.length()).strip())
                : Optional.empty();
    }

    /** RFC 9449, 7: a token that is bound to a key is worth nothing without it, and no other comes with a proof. */
    private Future<Void> requireKey(ApiRequest request, String path, Credentials given, Optional<String> key) {
        if (key.isEmpty()) {
            return given.isProved() ? Future.failedFuture(OauthError.invalidToken()) : Future.succeededFuture();
        }
        if (!given.isProved()) {
            return Future.failedFuture(OauthError.needsProof("invalid_token", "The access token is bound to a key."));
        }
        return proofs.check(request, path, given.token())
                .recover(failure -> failure instanceof OauthError error
                        ? Future.failedFuture(OauthError.needsProof(error.error(), error.description()))
                        : Future.failedFuture(failure))
                .compose(proved -> proved.equals(key)
                        ? Future.succeededFuture()
                        : Future.failedFuture(OauthError.needsProof(
                                OauthError.INVALID_PROOF,
                                "The request needs a DPoP header with a proof by the key of the token.")));
    }
}
