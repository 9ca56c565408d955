package dev.vestibule.oauth.catalogue;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One provider of the catalogue; its components are the fields of {@code providers.yaml}, which describes them. An
 * endpoint is null if the provider has none or discovery names it; PKCE, client authentication and algorithms are null
 * if discovery decides.
 *
 * @param issuer the issuer of ID tokens; null if the provider gives none
 * @param registration the provider's page where an application is registered
 * @param settings what a project must configure besides client id and secret; with a default if it can leave the
 *     setting out
 */
public record CatalogueEntry(
        @Nullable UrlTemplate issuer,
        @Nullable UrlTemplate authorizationEndpoint,
        @Nullable UrlTemplate tokenEndpoint,
        @Nullable UrlTemplate userInfoEndpoint,
        @Nullable UrlTemplate emailsEndpoint,
        @Nullable UrlTemplate jwksUri,
        List<String> scopes,
        @Nullable Boolean pkce,
        @Nullable ClientAuthentication clientAuthentication,
        @Nullable List<Algorithm> idTokenAlgorithms,
        Map<String, String> authorizationParameters,
        Map<String, String> parametersWithScopes,
        Map<String, String> freshSignInParameters,
        Map<String, String> tokenParameters,

        @JsonDeserialize(contentConverter = SettingDefault.class)
        Map<CatalogueSetting, Optional<String>> settings,

        @Nullable Boolean nativeSignIn,
        @Nullable UrlTemplate registration,
        UserMapping user) {

    public CatalogueEntry {
        scopes = Objects.requireNonNullElse(scopes, List.of());
        authorizationParameters = Objects.requireNonNullElse(authorizationParameters, Map.of());
        parametersWithScopes = Objects.requireNonNullElse(parametersWithScopes, Map.of());
        freshSignInParameters = Objects.requireNonNullElse(freshSignInParameters, Map.of());
        tokenParameters = Objects.requireNonNullElse(tokenParameters, Map.of());
        settings = Objects.requireNonNullElse(settings, Map.of());
        user = Objects.requireNonNullElse(user, UserMapping.NONE);
    }

    /** The signature algorithms of ID tokens that a provider may use (RFC 7518, 3.1). */
    public enum Algorithm {
        RS256,
        RS384,
        RS512,
        PS256,
        PS384,
        PS512,
        ES256,
        ES384,
        ES512,
        HS256
    }

    /** {@code required} means that there is no default. */
    static final class SettingDefault extends StdConverter<String, Optional<String>> {
        @Override
        public Optional<String> convert(String value) {
            return value.equals("required") ? Optional.empty() : Optional.of(value);
        }
    }

    /** Whether each project names its own issuer, so that requests go to a server that the project chose. */
    public boolean isIssuerOfProject() {
        return issuer != null && issuer.contains(CatalogueSetting.ISSUER);
    }

    /** Whether apps may sign in with an ID token that the device's own sign in gave them. */
    public boolean hasNativeSignIn() {
        return Boolean.TRUE.equals(nativeSignIn);
    }

    /** What stands for a setting that a project leaves out; empty if it must not. */
    public Optional<String> defaultOf(CatalogueSetting setting) {
        return settings.getOrDefault(setting, Optional.empty());
    }

    /** The issuer of identities, unless each project sets its own; empty if the provider gives no ID tokens. */
    public Optional<String> fixedIssuer() {
        return Optional.ofNullable(issuer)
                .filter(template ->
                        !template.contains(CatalogueSetting.ISSUER) && !template.contains(CatalogueSetting.TENANT))
                .map(UrlTemplate::text);
    }

    /** The broken rules that bind several fields together, each beginning with the field to mend. */
    List<String> violations() {
        var violations = new ArrayList<String>();
        if (tokenEndpoint == null && issuer == null) {
            violations.add("tokenEndpoint is required where there is no issuer to discover it");
        }
        if (tokenEndpoint != null && authorizationEndpoint == null) {
            violations.add("authorizationEndpoint is required with a tokenEndpoint");
        }
        if (user.mentions(TextSource.ID_TOKEN) && issuer == null) {
            violations.add("issuer is required where the user comes from an ID token");
        }
        if (user.mentions(TextSource.ID_TOKEN) && tokenEndpoint != null && jwksUri == null) {
            violations.add("jwksUri is required with a tokenEndpoint if the user comes from an ID token");
        }
        if (user.mentions(TextSource.USER_INFO) && tokenEndpoint != null && userInfoEndpoint == null) {
            violations.add("userInfoEndpoint is required with a tokenEndpoint if the user comes from there");
        }
        if (user.mentions(TextSource.PRIMARY_EMAIL) && emailsEndpoint == null) {
            violations.add("emailsEndpoint is required where the email comes from there");
        }
        if (clientAuthentication == ClientAuthentication.APPLE_JWT
                && !settings.keySet().containsAll(Set.of(CatalogueSetting.TEAM_ID, CatalogueSetting.KEY_ID))) {
            violations.add("settings must have teamId and keyId where the clientAuthentication is appleJwt");
        }
        if (hasNativeSignIn() && !user.mentions(TextSource.ID_TOKEN)) {
            violations.add("nativeSignIn is only for providers whose user comes from an ID token");
        }
        if (user.subject().alternatives().isEmpty()) {
            violations.add("user.subject is required");
        }
        if (user.subject().mentions(TextSource.POSTED)) {
            violations.add("user.subject must not come from /posted, which the browser could forge");
        }
        if (user.emails().stream().anyMatch(email -> email.mentions(TextSource.POSTED))) {
            violations.add("user.emails must not come from /posted, which the browser could forge");
        }
        return violations;
    }
}
