package dev.vestibule.identity;

import dev.vestibule.provider.ProviderConnection;
import io.vertx.core.Future;
import java.net.URI;

/** Talks to identity providers. */
public final class IdentityProviders {
    /** Where to send the browser; a provider that is not reachable is a 502. */
    public Future<URI> authorizationUrl(ProviderConnection connection, AuthorizationRequest request) {
        return Future.failedFuture(new UnsupportedOperationException());
    }

    /** Who the user is. A code that the provider refuses is a 401; a provider that does not answer is a 502. */
    public Future<ProviderIdentity> exchange(ProviderConnection connection, CodeExchange exchange) {
        return Future.failedFuture(new UnsupportedOperationException());
    }
}
