package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;

/** What clients ask for before a person comes, {@code /v1/projects/:projectId/oauth}: one method per operation. */
public final class RequestHandler {
    private final ClientAuthenticator authenticator;
    private final Authorizations authorizations;
    private final DeviceFlow devices;

    RequestHandler(ClientAuthenticator authenticator, Authorizations authorizations, DeviceFlow devices) {
        this.authenticator = authenticator;
        this.authorizations = authorizations;
        this.devices = devices;
    }

    /** {@code POST …/par}: the client sends the authorization request itself, and the browser only its name (RFC 9126). */
    public Future<Reply> push(ApiRequest request) {
        return FormAnswers.answer(
                request,
                given -> authenticator
                        .authenticateNew(request, given)
                        .compose(client -> authorizations.push(request.project().id(), client, given))
                        .map(Reply::created));
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
