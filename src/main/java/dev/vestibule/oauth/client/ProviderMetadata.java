package dev.vestibule.oauth.client;

import com.nimbusds.jose.JWSAlgorithm;
import dev.vestibule.oauth.catalogue.ClientAuthentication;
import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints and rules of a provider for one project, from the catalogue or from discovery.
 *
 * @param issuer the issuer that ID tokens must name; null if the provider issues none
 * @param algorithms the allowed signature algorithms of ID tokens
 * @param requiresIssuer whether every response of the authorization endpoint names the issuer (RFC 9207)
 */
record ProviderMetadata(
        @Nullable String issuer,
        URI authorizationEndpoint,
        URI tokenEndpoint,
        @Nullable URI userInfoEndpoint,
        @Nullable URI emailsEndpoint,
        @Nullable URI jwksUri,
        boolean pkce,
        ClientAuthentication clientAuthentication,
        Set<JWSAlgorithm> algorithms,
        boolean requiresIssuer) {}
