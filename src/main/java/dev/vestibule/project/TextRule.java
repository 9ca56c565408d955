package dev.vestibule.project;

import dev.vestibule.json.FieldRule;
import dev.vestibule.json.WebUrl;

/** The rules of settings that are texts. */
enum TextRule implements FieldRule<String> {
    /** For settings that are no texts. */
    NONE(text -> {
        throw new UnsupportedOperationException("a text needs a rule");
    }),
    NAME(ProjectFields::name),
    WEB_URL(WebUrl::absolute),
    ORIGIN(ProjectFields::origin),
    COUNTRY(ProjectFields::country),
    RP_ID(ProjectFields::rpId),
    PASSKEY_ORIGIN(ProjectFields::passkeyOrigin);

    private final FieldRule<String> rule;

    TextRule(FieldRule<String> rule) {
        this.rule = rule;
    }

    @Override
    public String read(String text) {
        return rule.read(text);
    }
}
