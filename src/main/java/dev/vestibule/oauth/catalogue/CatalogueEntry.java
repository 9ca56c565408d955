package dev.vestibule.oauth.catalogue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the catalogue knows of a provider.
 *
 * @param issuer whom ID tokens name; null where there are none
 * @param pkce null for what discovery says, as with the client authentication and the algorithms
 * @param settings what a project has to say besides client id and secret, with the default where there is one
 */
public record CatalogueEntry(
        Provider provider,
        @Nullable String issuer,
        Endpoints endpoints,
        List<String> scopes,
        @Nullable Boolean pkce,
        @Nullable ClientAuthentication clientAuthentication,
        @Nullable List<String> idTokenAlgorithms,
        Map<String, String> authorizationParameters,
        Map<String, String> parametersWithScopes,
        Map<String, String> tokenParameters,
        Map<Setting, Optional<String>> settings,
        UserMapping user) {

    /** URLs with holes for the project's settings; null where there is none, or where discovery knows it. */
    public record Endpoints(
            @Nullable String authorization,
            @Nullable String token,
            @Nullable String userInfo,
            @Nullable String emails,
            @Nullable String jwks) {}

    /** What a provider may need to know of a project besides its client id and secret. */
    public enum Setting {
        ISSUER("issuer"),
        TENANT("tenant"),
        TEAM_ID("teamId"),
        KEY_ID("keyId");

        private final String text;

        Setting(String text) {
            this.text = text;
        }

        /** The name of the field. */
        public String text() {
            return text;
        }

        static Optional<Setting> find(String text) {
            return Arrays.stream(values())
                    .filter(setting -> setting.text.equals(text))
                    .findFirst();
        }

        /** How a URL names the place where it goes. */
        public String hole() {
            return "{" + text + "}";
        }
    }

    /** Whether a project names the server that is called, so that it may be anybody's. */
    public boolean isIssuerOfProject() {
        return issuer != null && issuer.contains(Setting.ISSUER.hole());
    }
}
