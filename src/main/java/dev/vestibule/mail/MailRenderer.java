package dev.vestibule.mail;

import dev.vestibule.mail.MailStore.QueuedMail;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Renders mails in the language of the request and the branding of the project. */
final class MailRenderer {
    private final MailTemplates templates;

    private MailRenderer(MailTemplates templates) {
        this.templates = templates;
    }

    /** Renders every mail once, so that a broken template of the operator fails the start as wrong configuration. */
    static MailRenderer load(Optional<Path> folder) {
        var renderer = new MailRenderer(new MailTemplates(folder));
        for (var language : Language.values()) {
            for (var purpose : CodePurpose.values()) {
                renderer.validate(language, purpose);
            }
        }
        return renderer;
    }

    private void validate(Language language, CodePurpose purpose) {
        var id = new UUID(0, 0);
        var queued = new QueuedMail(new ProjectId(id), id, purpose, "a@example.com", language, Instant.EPOCH, 1);
        var brand = MailBranding.of("A", null, null, null, null, null, null, null, null);
        try {
            render(queued, new Recipient(new UserId(id), "A", true, false, brand, "https://a.example/"), "000000");
        } catch (RuntimeException invalid) {
            throw MailTemplates.invalid(language.text(), invalid);
        }
    }

    Mail render(QueuedMail queued, Recipient recipient, String code) {
        var brand = recipient.brand();
        var language = queued.language();
        Map<String, Object> values = new HashMap<>(Map.of(
                "brand", brand.name(),
                "email", queued.email(),
                "code", code,
                "minutes", queued.purpose().lifetime().toMinutes(),
                "language", language.text()));
        var name = greetingName(recipient);
        values.put("name", name);
        var purpose = queued.purpose().text();
        for (var part : new String[] {"subject", "title", "intro", "ignore"}) {
            values.put(part, templates.phrase(language, purpose + "." + part, Map.copyOf(values)));
        }
        values.put("expires", templates.phrase(language, "expires", Map.copyOf(values)));
        values.put("greeting", name.isEmpty() ? "" : templates.phrase(language, "greeting", Map.copyOf(values)));
        putLink(values, queued, recipient, code);
        putBranding(values, brand);
        return new Mail(
                queued.id() + "." + queued.attempts(),
                brand.name(),
                queued.email(),
                SafeText.singleLine(String.valueOf(values.get("subject"))),
                templates.text(language, values),
                templates.html(language, values),
                brand.logo());
    }

    /**
     * Empty until the address is verified: otherwise an attacker could sign up with someone else's address and an
     * advertisement as the name, and this server would deliver it.
     */
    private static String greetingName(Recipient recipient) {
        var name = recipient.displayName();
        return name == null || !recipient.emailVerified() ? "" : SafeText.singleLine(name);
    }

    /** Empty for other purposes, and if the project has no page for it. */
    private void putLink(Map<String, Object> values, QueuedMail queued, Recipient recipient, String code) {
        var page = queued.purpose() == CodePurpose.PASSWORD_RESET ? recipient.passwordResetUrl() : null;
        values.put("link", page == null ? "" : ResetLink.of(page, code, queued.email()));
        values.put(
                "linkText",
                page == null ? "" : templates.phrase(queued.language(), "password_reset.link", Map.copyOf(values)));
    }

    private static void putBranding(Map<String, Object> values, MailBranding brand) {
        values.putAll(Map.of(
                "primaryStart", brand.primaryStart(),
                "primaryEnd", brand.primaryEnd(),
                "onPrimary", brand.textOnPrimary(),
                "lightBg", brand.lightBg(),
                "lightText", brand.lightText(),
                "darkBg", brand.darkBg(),
                "darkText", brand.darkText(),
                "radius", Math.round(brand.borderRadius()),
                "logo", brand.logo().isPresent() ? "cid:" + Mail.LOGO_CONTENT_ID : ""));
    }
}
