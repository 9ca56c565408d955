package dev.vestibule.oauth.client;

import dev.vestibule.config.OauthSettings;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.oauth.jose.ExpiringCache;
import dev.vestibule.oauth.provider.ProviderConnection;
import dev.vestibule.outbound.TargetUrl;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Clock;

/** The discovery documents of issuers (OpenID Connect Discovery 1.0). */
final class Discovery {
    private static final String PATH = "/.well-known/openid-configuration";

    /**
     * A document that a project chose is cached separately from the operator's: its endpoints are checked more
     * strictly.
     */
    private record Key(String issuer, boolean isChosenByProject) {}

    private final ProviderClient client;
    private final boolean allowPrivate;
    private final ExpiringCache<Key, DiscoveryDocument> documents;

    Discovery(Vertx vertx, ProviderClient client, OauthSettings settings, Clock clock) {
        this.client = client;
        this.allowPrivate = settings.allowPrivateIssuers();
        this.documents = new ExpiringCache<>(vertx, settings.cacheSize(), settings.metadataLifetime(), clock);
    }

    Future<DiscoveryDocument> document(ProviderConnection connection, String issuer) {
        var isChosenByProject = connection.entry().isIssuerOfProject();
        return documents.get(new Key(issuer, isChosenByProject), () -> load(connection, issuer));
    }

    private Future<DiscoveryDocument> load(ProviderConnection connection, String issuer) {
        var base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        var isTrusted = allowPrivate || !connection.entry().isIssuerOfProject();
        return client.get(connection, URI.create(base + PATH), null).map(response -> {
            if (!response.isSuccess() || !response.json().isObject()) {
                throw ProviderException.unusable(connection, "it has no discovery document");
            }
            try {
                return DiscoveryDocument.read(response.json(), issuer, text -> endpoint(text, isTrusted));
            } catch (IllegalArgumentException unusable) {
                throw ProviderException.unusable(connection, String.valueOf(unusable.getMessage()));
            }
        });
    }

    private static URI endpoint(String text, boolean isTrusted) {
        try {
            var url = TargetUrl.of(text, isTrusted, "oauth.allowPrivateIssuers");
            if (isTrusted || "https".equals(url.getScheme())) {
                return url;
            }
        } catch (InvalidValueException refused) {
            // reported below, like a URL that is not https
        }
        throw new IllegalArgumentException("its discovery document has an endpoint that is not a public https URL");
    }
}
