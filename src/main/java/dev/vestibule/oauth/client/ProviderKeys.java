package dev.vestibule.oauth.client;

import dev.vestibule.config.OauthSettings;
import dev.vestibule.oauth.jose.PublishedKey;
import dev.vestibule.oauth.jose.RemoteKeys;
import dev.vestibule.oauth.provider.ProviderConnection;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The public keys of issuers (RFC 7517). */
final class ProviderKeys {
    private record Source(URI uri, boolean isChosenByProject) {}

    private final ProviderClient client;
    private final RemoteKeys<Source> sets;

    ProviderKeys(Vertx vertx, ProviderClient client, OauthSettings settings, Clock clock) {
        this.client = client;
        this.sets = new RemoteKeys<>(vertx, settings, settings.metadataLifetime(), clock);
    }

    /** The keys at the URI, with the one that has the id if it is published. */
    Future<List<PublishedKey>> find(ProviderConnection connection, URI uri, @Nullable String keyId) {
        return sets.find(new Source(uri, connection.entry().isIssuerOfProject()), keyId, () -> load(connection, uri));
    }

    private Future<List<PublishedKey>> load(ProviderConnection connection, URI uri) {
        return client.get(connection, uri, null)
                .map(response -> Optional.of(response)
                        .filter(ProviderClient.JsonResponse::isSuccess)
                        .filter(success -> success.bytes() <= PublishedKey.MAX_SET_BYTES)
                        .flatMap(success -> PublishedKey.ofSet(success.json()))
                        .orElseThrow(() -> ProviderException.unusable(connection, "it has no usable key set")));
    }
}
