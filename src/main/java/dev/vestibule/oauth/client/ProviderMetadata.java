package dev.vestibule.oauth.client;

import com.nimbusds.jose.JWSAlgorithm;
import dev.vestibule.oauth.catalogue.ClientAuthentication;
import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a provider is talked to for one project, from the catalogue or from discovery.
 *
 * @param issuer whom ID tokens name; null where there are none
 * @param algorithms by which ID tokens may be signed
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
