package dev.vestibule.oauth.catalogue;

import com.fasterxml.jackson.annotation.JsonCreator;
import dev.vestibule.error.InvalidValueException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.function.Function;

/**
 * An absolute http or https URL with placeholders: {@code {issuer}} and {@code {tenant}} stand for a project's
 * settings, {@code {tid}} for the claim of that name in an ID token.
 */
public record UrlTemplate(String text) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public UrlTemplate {
        if (!isUrl(text)) {
            throw new InvalidValueException(
                    "must be an absolute http or https URL with no placeholders but {issuer}, {tenant} and {tid}");
        }
    }

    private static boolean isUrl(String text) {
        try {
            var url = new URI(text.replaceAll("\\{(?:tenant|tid)}", "x")
                    .replace(CatalogueSetting.ISSUER.placeholder(), "https://x"));
            return ("https".equals(url.getScheme()) || "http".equals(url.getScheme()))
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawFragment() == null;
        } catch (URISyntaxException malformed) {
            return false;
        }
    }

    boolean contains(CatalogueSetting setting) {
        return text.contains(setting.placeholder());
    }

    /**
     * The URL with the project's settings; their validation rules allow nothing that could change the structure of the
     * URL.
     */
    public String resolve(Function<CatalogueSetting, Optional<String>> settings) {
        return text.replace(
                        CatalogueSetting.ISSUER.placeholder(),
                        settings.apply(CatalogueSetting.ISSUER).orElse(""))
                .replace(
                        CatalogueSetting.TENANT.placeholder(),
                        settings.apply(CatalogueSetting.TENANT).orElse(""));
    }
}
