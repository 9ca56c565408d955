package dev.vestibule.oauth.client;

import dev.vestibule.config.OauthSettings;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.oauth.provider.ProviderConnection;
import dev.vestibule.outbound.TargetUrl;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Clock;

/** The discovery documents of issuers (OpenID Connect Discovery 1.0). */
final class Discovery {
    private static final String PATH = "/.well-known/openid-configuration";

    /** What a project may name is looked at with other eyes than what the operator names. */
    private record Key(String issuer, boolean isProjects) {}

    private final ProviderClient client;
    private final boolean allowPrivate;
    private final ExpiringCache<Key, DiscoveryDocument> documents;

    Discovery(Vertx vertx, ProviderClient client, OauthSettings settings, Clock clock) {
        this.client = client;
        this.allowPrivate = settings.allowPrivateIssuers();
        this.documents = new ExpiringCache<>(vertx, settings.cacheSize(), settings.metadataLifetime(), clock);
    }

    Future<DiscoveryDocument> of(ProviderConnection connection, String issuer) {
        var isProjects = connection.entry().isIssuerOfProject();
        return documents.get(new Key(issuer, isProjects), () -> load(connection, issuer));
    }

    private Future<DiscoveryDocument> load(ProviderConnection connection, String issuer) {
        var home = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        var isTrusted = allowPrivate || !connection.entry().isIssuerOfProject();
        return client.get(connection, URI.create(home + PATH), null).map(answer -> {
            if (!answer.isSuccess() || !answer.json().isObject()) {
                throw ProviderErrors.unusable(connection, "it has no discovery document");
            }
            try {
                return DiscoveryDocument.read(answer.json(), issuer, text -> endpoint(text, isTrusted));
            } catch (IllegalArgumentException unusable) {
                throw ProviderErrors.unusable(connection, String.valueOf(unusable.getMessage()));
            }
        });
    }

    private static URI endpoint(String text, boolean isTrusted) {
        try {
            var url = TargetUrl.of(text, isTrusted);
            if (isTrusted || "https".equals(url.getScheme())) {
                return url;
            }
        } catch (InvalidValueException refused) {
            // as any other that is none
        }
        throw new IllegalArgumentException("its discovery document has an endpoint that is no public https URL");
    }
}
