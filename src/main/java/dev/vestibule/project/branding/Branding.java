package dev.vestibule.project.branding;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The look of a project's login pages: colours as {@code #rrggbb}, and the border radius in pixels. Some clients put
 * texts and styles into their pages unescaped, so all of them must be safe there.
 *
 * @param hiddenByProject the providers that the project hides, without those that {@code hiddenProviders} names only
 *     because clients do not know them
 * @param captchaEnabled whether clients show Turnstile, the only captcha that they know, with {@code turnstileSiteKey},
 *     which is empty otherwise
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Branding(
        String brandName,
        String primaryColorStart,
        String primaryColorEnd,
        String lightBg,
        String lightText,
        String darkBg,
        String darkText,
        int borderRadius,
        boolean showEmailPassword,
        boolean showDivider,
        @Nullable String termsUrl,
        @Nullable String privacyUrl,
        @Nullable String logoDataUrl,
        List<String> providerOrder,
        List<String> hiddenProviders,
        @JsonIgnore List<String> hiddenByProject,
        String customCss,
        String locale,
        boolean showSecuredBy,
        boolean showPasswordless,
        String passwordlessMethod,
        boolean showPasskey,
        boolean showWeb3,
        boolean captchaEnabled,
        String turnstileSiteKey) {}
