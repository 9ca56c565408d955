package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import java.util.Optional;

/** What clients ask for before a person comes, {@code /v1/projects/:projectId/oauth}: one method per operation. */
public final class RequestHandler {
    private final ClientAuthenticator authenticator;
    private final Authorizations authorizations;
    private final DeviceFlow devices;
    private final DpopProofs proofs;

    RequestHandler(
            ClientAuthenticator authenticator, Authorizations authorizations, DeviceFlow devices, DpopProofs proofs) {
        this.authenticator = authenticator;
        this.proofs = proofs;
        this.authorizations = authorizations;
        this.devices = devices;
    }

    /**
     * {@code POST …/par}: the client sends the authorization request itself, and the browser only its name (RFC 9126).
     */
    public Future<Reply> push(ApiRequest request) {
        return FormAnswers.answer(
                request,
                given -> authenticator
                        .authenticateNew(request, given)
                        .compose(client -> proofs.check(request, ServerMetadata.PUSH, null)
                                .compose(key -> authorizations.push(request, client, bound(given, key))))
                        .map(Reply::created));
    }

    /** A proof at this endpoint is as good as its thumbprint (RFC 9449, 10.1). */
    private static Parameters bound(Parameters given, Optional<String> key) {
        var named = given.find(Parameters.KEY_THUMBPRINT);
        if (key.isPresent() && named.isPresent() && !named.equals(key)) {
            throw OauthError.of(OauthError.INVALID_PROOF, "The dpop_jkt is that of another key.");
        }
        return key.map(proved -> given.with(Parameters.KEY_THUMBPRINT, proved)).orElse(given);
    }

    /** {@code POST …/device_authorization}: a device gets a code for its person to type elsewhere (RFC 8628, 3.1). */
    public Future<Reply> device(ApiRequest request) {
        return FormAnswers.answer(
                request,
                given -> authenticator
                        .authenticateNew(request, given)
                        .compose(client -> devices.begin(request, client, given))
                        .map(Reply::ok));
    }
}
