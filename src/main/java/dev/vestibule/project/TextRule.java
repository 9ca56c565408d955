package dev.vestibule.project;

import dev.vestibule.json.FieldRule;
import dev.vestibule.json.WebUrl;

/** The rules for text settings. */
enum TextRule implements FieldRule<String> {
    /** The setting is not a text. */
    NONE,
    NAME,
    SLUG,
    WEB_URL,
    ORIGIN,
    COUNTRY,
    RP_ID,
    PASSKEY_ORIGIN,
    SITE_KEY;

    @Override
    public String read(String text) {
        return switch (this) {
            case NONE -> throw new UnsupportedOperationException("a text needs a rule");
            case NAME -> ProjectFields.name(text);
            case SLUG -> Slug.check(text);
            case WEB_URL -> WebUrl.absolute(text);
            case ORIGIN -> ProjectFields.origin(text);
            case COUNTRY -> ProjectFields.country(text);
            case RP_ID -> ProjectFields.rpId(text);
            case PASSKEY_ORIGIN -> ProjectFields.passkeyOrigin(text);
            case SITE_KEY -> ProjectFields.siteKey(text);
        };
    }
}
