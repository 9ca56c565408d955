package dev.vestibule.oauth.provider;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.oauth.catalogue.CatalogueEntry;
import dev.vestibule.oauth.catalogue.CatalogueSetting;
import dev.vestibule.oauth.catalogue.ClientAuthentication;
import dev.vestibule.oauth.catalogue.Provider;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A provider that a project can set up, and the settings that it needs.
 *
 * @param registrationUrl the provider's own page where an application is registered
 * @param settings what the provider needs in addition to client id and secret
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record AvailableProvider(
        Provider provider,
        String name,
        List<String> scopes,
        List<Setting> settings,
        boolean hasNativeSignIn,
        boolean hasPrivateKey,
        @Nullable String registrationUrl) {

    /** One of {@code issuer}, {@code tenant}, {@code teamId} and {@code keyId}; without a default it is required. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Setting(String name, @Nullable String defaultValue) {}

    static AvailableProvider of(Provider provider, CatalogueEntry entry) {
        var registration = entry.registration();
        return new AvailableProvider(
                provider,
                provider.title(),
                entry.scopes(),
                Arrays.stream(CatalogueSetting.values())
                        .filter(entry.settings()::containsKey)
                        .map(setting -> new Setting(
                                setting.fieldName(), entry.defaultOf(setting).orElse(null)))
                        .toList(),
                entry.hasNativeSignIn(),
                entry.clientAuthentication() == ClientAuthentication.APPLE_JWT,
                registration == null ? null : registration.text());
    }
}
