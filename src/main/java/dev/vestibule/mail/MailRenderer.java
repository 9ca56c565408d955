package dev.vestibule.mail;

import dev.vestibule.mail.MailStore.Wanted;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Makes a mail out of what it has to say and the texts and looks it has. */
final class MailRenderer {
    private final MailTemplates templates;

    private MailRenderer(MailTemplates templates) {
        this.templates = templates;
    }

    /** Refuses, as configuration, templates of the operator that cannot be rendered. */
    static MailRenderer load(Optional<Path> folder) {
        var renderer = new MailRenderer(new MailTemplates(folder));
        for (var language : Language.values()) {
            for (var purpose : CodePurpose.values()) {
                renderer.tryOut(language, purpose);
            }
        }
        return renderer;
    }

    private void tryOut(Language language, CodePurpose purpose) {
        var id = new UUID(0, 0);
        var wanted = new Wanted(new ProjectId(id), id, purpose, "a@example.com", language, Instant.EPOCH, 1);
        var brand = MailBranding.of("A", null, null, null, null, null, null, null, null);
        try {
            render(wanted, new Recipient(new UserId(id), "A", true, false, brand), "000000");
        } catch (RuntimeException unusable) {
            throw MailTemplates.invalid(language.text(), unusable);
        }
    }

    Mail render(Wanted wanted, Recipient recipient, String code) {
        var brand = recipient.brand();
        var language = wanted.language();
        Map<String, Object> values = new HashMap<>(Map.of(
                "brand", brand.name(),
                "email", wanted.email(),
                "code", code,
                "minutes", EmailCodes.LIFETIME.toMinutes(),
                "language", language.text()));
        var greeted = greeted(recipient);
        values.put("name", greeted);
        var kind = wanted.purpose().text();
        for (var part : new String[] {"subject", "title", "intro", "ignore"}) {
            values.put(part, templates.phrase(language, kind + "." + part, Map.copyOf(values)));
        }
        values.put("expires", templates.phrase(language, "expires", Map.copyOf(values)));
        values.put("greeting", greeted.isEmpty() ? "" : templates.phrase(language, "greeting", Map.copyOf(values)));
        putLook(values, brand);
        return new Mail(
                wanted.id() + "." + wanted.attempts(),
                brand.name(),
                wanted.email(),
                SafeText.singleLine(String.valueOf(values.get("subject"))),
                templates.text(language, values),
                templates.html(language, values),
                brand.logo());
    }

    /**
     * Anonymous who did not prove to read this address: a stranger could sign up with somebody else's, under a name that
     * is an advertisement, and have us deliver it.
     */
    private static String greeted(Recipient recipient) {
        var name = recipient.displayName();
        return name == null || !recipient.emailVerified() ? "" : SafeText.singleLine(name);
    }

    private static void putLook(Map<String, Object> values, MailBranding brand) {
        values.putAll(Map.of(
                "primaryStart", brand.primaryStart(),
                "primaryEnd", brand.primaryEnd(),
                "onPrimary", brand.onPrimary(),
                "lightBg", brand.lightBg(),
                "lightText", brand.lightText(),
                "darkBg", brand.darkBg(),
                "darkText", brand.darkText(),
                "radius", Math.round(brand.borderRadius()),
                "logo", brand.logo().isPresent() ? "cid:" + Mail.LOGO_ID : ""));
    }
}
