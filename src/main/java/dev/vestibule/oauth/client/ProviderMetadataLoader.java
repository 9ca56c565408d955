package dev.vestibule.oauth.client;

import com.nimbusds.jose.JWSAlgorithm;
import dev.vestibule.oauth.catalogue.CatalogueEntry.Algorithm;
import dev.vestibule.oauth.catalogue.ClientAuthentication;
import dev.vestibule.oauth.catalogue.UrlTemplate;
import dev.vestibule.oauth.provider.ProviderConnection;
import io.vertx.core.Future;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds a provider's metadata from the catalogue and, for the rest, from the issuer's discovery document. */
final class ProviderMetadataLoader {
    private static final List<Algorithm> DEFAULT_ALGORITHMS = List.of(Algorithm.RS256); // OpenID Connect Core, 15.1

    private final Discovery discovery;

    ProviderMetadataLoader(Discovery discovery) {
        this.discovery = discovery;
    }

    /** A 502 if the project lacks a required setting, which can happen after a change of the catalogue. */
    Future<ProviderMetadata> load(ProviderConnection connection) {
        for (var setting : connection.entry().settings().keySet()) {
            if (connection.setting(setting).isEmpty()) {
                return Future.failedFuture(ProviderException.misconfigured(
                        connection, "the project lacks the setting " + setting.fieldName()));
            }
        }
        var issuer = Optional.ofNullable(connection.entry().issuer())
                .map(template -> template.resolve(connection::setting))
                .orElse(null);
        return connection.entry().tokenEndpoint() == null
                ? discovery
                        .document(connection, Objects.requireNonNull(issuer))
                        .map(document -> merge(connection, issuer, document))
                : Future.succeededFuture(fromCatalogue(connection, issuer));
    }

    private static ProviderMetadata fromCatalogue(ProviderConnection connection, @Nullable String issuer) {
        var entry = connection.entry();
        return new ProviderMetadata(
                issuer,
                Objects.requireNonNull(url(connection, entry.authorizationEndpoint())),
                Objects.requireNonNull(url(connection, entry.tokenEndpoint())),
                url(connection, entry.userInfoEndpoint()),
                url(connection, entry.emailsEndpoint()),
                url(connection, entry.jwksUri()),
                Boolean.TRUE.equals(entry.pkce()),
                Objects.requireNonNullElse(entry.clientAuthentication(), ClientAuthentication.BASIC),
                algorithms(Objects.requireNonNullElse(entry.idTokenAlgorithms(), DEFAULT_ALGORITHMS)),
                false);
    }

    /** The catalogue takes precedence over the discovery document. */
    private static ProviderMetadata merge(ProviderConnection connection, String issuer, DiscoveryDocument document) {
        var entry = connection.entry();
        return new ProviderMetadata(
                issuer,
                Objects.requireNonNullElse(
                        url(connection, entry.authorizationEndpoint()), document.authorizationEndpoint()),
                document.tokenEndpoint(),
                entry.userInfoEndpoint() == null
                        ? document.userInfoEndpoint()
                        : url(connection, entry.userInfoEndpoint()),
                url(connection, entry.emailsEndpoint()),
                entry.jwksUri() == null ? document.jwksUri() : url(connection, entry.jwksUri()),
                Objects.requireNonNullElse(entry.pkce(), document.pkce()),
                Objects.requireNonNullElse(entry.clientAuthentication(), document.clientAuthentication()),
                algorithms(Objects.requireNonNullElse(entry.idTokenAlgorithms(), document.algorithms())),
                document.requiresIssuer());
    }

    private static Set<JWSAlgorithm> algorithms(List<Algorithm> algorithms) {
        return algorithms.stream()
                .map(algorithm -> JWSAlgorithm.parse(algorithm.name()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static @Nullable URI url(ProviderConnection connection, @Nullable UrlTemplate template) {
        return template == null ? null : URI.create(template.resolve(connection::setting));
    }
}
