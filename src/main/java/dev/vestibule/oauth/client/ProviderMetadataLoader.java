package dev.vestibule.oauth.client;

import com.nimbusds.jose.JWSAlgorithm;
import dev.vestibule.oauth.catalogue.CatalogueEntry.Setting;
import dev.vestibule.oauth.catalogue.ClientAuthentication;
import dev.vestibule.oauth.provider.ProviderConnection;
import io.vertx.core.Future;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Knows how to talk to a provider: the catalogue says it, and where it does not, the issuer's discovery document. */
final class ProviderMetadataLoader {
    private static final List<String> USUAL_ALGORITHMS = List.of("RS256"); // OpenID Connect Core, 15.1

    private final Discovery discovery;

    ProviderMetadataLoader(Discovery discovery) {
        this.discovery = discovery;
    }

    /** A 502 where the catalogue asks for more than the project has said, as after a change of it. */
    Future<ProviderMetadata> of(ProviderConnection connection) {
        for (var setting : connection.entry().settings().keySet()) {
            if (connection.setting(setting).isEmpty()) {
                return Future.failedFuture(ProviderErrors.misconfigured(connection, "it lacks " + setting.text()));
            }
        }
        return known(connection);
    }

    private Future<ProviderMetadata> known(ProviderConnection connection) {
        var endpoints = connection.entry().endpoints();
        if (endpoints.token() == null) {
            var issuer =
                    Objects.requireNonNull(filled(connection, connection.entry().issuer()));
            return discovery.of(connection, issuer).map(document -> merged(connection, issuer, document));
        }
        var entry = connection.entry();
        return Future.succeededFuture(new ProviderMetadata(
                filled(connection, entry.issuer()),
                Objects.requireNonNull(url(connection, endpoints.authorization())),
                Objects.requireNonNull(url(connection, endpoints.token())),
                url(connection, endpoints.userInfo()),
                url(connection, endpoints.emails()),
                url(connection, endpoints.jwks()),
                Boolean.TRUE.equals(entry.pkce()),
                Objects.requireNonNullElse(entry.clientAuthentication(), ClientAuthentication.BASIC),
                algorithms(Objects.requireNonNullElse(entry.idTokenAlgorithms(), USUAL_ALGORITHMS)),
                false));
    }

    /** What the catalogue says goes before what the issuer says. */
    private static ProviderMetadata merged(ProviderConnection connection, String issuer, DiscoveryDocument document) {
        var entry = connection.entry();
        var endpoints = entry.endpoints();
        return new ProviderMetadata(
                issuer,
                Objects.requireNonNullElse(
                        url(connection, endpoints.authorization()), document.authorizationEndpoint()),
                document.tokenEndpoint(),
                endpoints.userInfo() == null ? document.userInfoEndpoint() : url(connection, endpoints.userInfo()),
                url(connection, endpoints.emails()),
                endpoints.jwks() == null ? document.jwksUri() : url(connection, endpoints.jwks()),
                Objects.requireNonNullElse(entry.pkce(), document.pkce()),
                Objects.requireNonNullElse(entry.clientAuthentication(), document.clientAuthentication()),
                algorithms(Objects.requireNonNullElse(entry.idTokenAlgorithms(), document.algorithms())),
                document.namesIssuer());
    }

    private static Set<JWSAlgorithm> algorithms(List<String> names) {
        var algorithms = new HashSet<JWSAlgorithm>();
        names.forEach(name -> algorithms.add(JWSAlgorithm.parse(name)));
        return algorithms;
    }

    private static @Nullable URI url(ProviderConnection connection, @Nullable String template) {
        var text = filled(connection, template);
        return text == null ? null : URI.create(text);
    }

    /** With the project's settings in the holes; the rules of these fields let nothing through that changes a URL. */
    private static @Nullable String filled(ProviderConnection connection, @Nullable String template) {
        if (template == null) {
            return null;
        }
        return template.replace(
                        Setting.ISSUER.hole(),
                        connection.setting(Setting.ISSUER).orElse(""))
                .replace(
                        Setting.TENANT.hole(),
                        connection.setting(Setting.TENANT).orElse(""));
    }
}
