package dev.vestibule.mail;

import dev.vestibule.config.DashboardSettings;
import dev.vestibule.config.MailSettings;
import dev.vestibule.journal.NoticeKind;
import dev.vestibule.mail.OutboxMessage.QueuedCode;
import dev.vestibule.mail.OutboxMessage.QueuedNotice;
import dev.vestibule.mail.RecipientStore.Recipient;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import dev.vestibule.user.UserId;
import dev.vestibule.user.organization.OrganizationInvitationTokens;
import dev.vestibule.user.organization.OrganizationInvitationTokens.Issued;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Renders mails in the language of the request and the branding of the project. */
final class MailRenderer {
    /**
     * The parts of an invitation mail besides the token: the sender, the validity in days, and the URL of the page that
     * accepts it, up to the token.
     */
    record InvitationText(String sender, int days, String page) {
        /**
         * Links to the operator's own page, or to the console, with the token in the fragment, which no browser sends
         * and no log contains.
         */
        static InvitationText of(MailSettings mail, DashboardSettings dashboard, URI publicUrl) {
            return new InvitationText(
                    mail.fromName(),
                    dashboard.invitationDays(),
                    dashboard.invitationUrl().map(url -> url + "?token=").orElse(publicUrl + "/console/#/invitation/"));
        }

        /** A token has no characters that need escaping in a query or a fragment. */
        String link(String token) {
            return page + token;
        }
    }

    private static final Set<CodePurpose> TOKENS =
            EnumSet.of(CodePurpose.INVITATION, CodePurpose.ORGANIZATION_INVITATION);

    private final Optional<Path> folder;
    private final InvitationText invitation;
    private @Nullable MailTemplates templates;

    /** Reads the templates for the first mail. */
    MailRenderer(Optional<Path> folder, InvitationText invitation) {
        this.folder = folder;
        this.invitation = invitation;
    }

    /** Renders every mail once, so that a broken template of the operator fails the start as wrong configuration. */
    static MailRenderer load(Optional<Path> folder, InvitationText invitation) {
        var renderer = new MailRenderer(folder, invitation);
        for (var language : Language.values()) {
            for (var purpose : CodePurpose.values()) {
                if (purpose.queue() == MessageQueue.CODES) {
                    renderer.validate(language, purpose);
                }
            }
            for (var kind : NoticeKind.values()) {
                renderer.validate(language, kind);
            }
        }
        return renderer;
    }

    private synchronized MailTemplates templates() {
        var read = templates;
        if (read == null) {
            read = new MailTemplates(folder);
            templates = read;
        }
        return read;
    }

    private void validate(Language language, CodePurpose purpose) {
        var id = new UUID(0, 0);
        var queued = new QueuedCode(
                new ProjectId(id), id, purpose, "a@example.com", Buffer.buffer(), language, Instant.EPOCH, 1);
        var brand = MailBranding.plain("A");
        try {
            if (purpose == CodePurpose.INVITATION) {
                renderInvitation(queued, brand, "000000");
            } else if (purpose == CodePurpose.ORGANIZATION_INVITATION) {
                renderInvitation(queued, brand, new Issued("000000", "A", "https://a.example/"));
            } else if (purpose == CodePurpose.EMAIL_CHANGE) {
                renderEmailChange(queued, brand, "000000");
            } else if (CodePurpose.SIGN_INS.contains(purpose)) {
                renderSignIn(queued, brand, Optional.empty(), "000000", "https://a.example/");
            } else {
                render(queued, new Recipient(new UserId(id), "A", true, false, brand, "https://a.example/"), "000000");
            }
        } catch (RuntimeException invalid) {
            throw MailTemplates.invalid(language.text(), invalid);
        }
    }

    private void validate(Language language, NoticeKind kind) {
        var id = new UUID(0, 0);
        var queued = new QueuedNotice(
                new ProjectId(id),
                id,
                new UserId(id),
                kind,
                "a@example.com",
                language,
                Buffer.buffer(),
                Instant.EPOCH,
                1);
        var plain = Notice.of(Instant.EPOCH, new Device(null, "192.0.2.1", null))
                .withProvider("A")
                .withNewEmail("b@example.com");
        var notice = kind.isUndoable() ? plain.withUndo("000000", 7, "https://a.example/") : plain;
        try {
            var brand = MailBranding.plain("A");
            renderNotice(queued, brand, Optional.empty(), notice);
        } catch (RuntimeException invalid) {
            throw MailTemplates.invalid(language.text(), invalid);
        }
    }

    Mail render(QueuedCode queued, Recipient recipient, String code) {
        return render(
                queued,
                recipient.brand().name(),
                recipient.brand(),
                greetingName(recipient),
                code,
                resetLink(queued, recipient, code),
                "expires",
                Map.of());
    }

    /**
     * Comes from the operator, without the look of the project: the invited person does not know the project, and
     * anybody who can create one chooses its name. Greets without a name, since the person may have no account.
     */
    Mail renderInvitation(QueuedCode queued, MailBranding brand, String token) {
        return render(
                queued,
                invitation.sender(),
                brand.nameOnly(),
                "",
                token,
                invitation.link(token),
                "invitation.expires",
                Map.of());
    }

    /**
     * Has a link to the project's page, or the token where there is no page. Greets without a name: anyone who created
     * the organization chose its name and the address.
     */
    Mail renderInvitation(QueuedCode queued, MailBranding brand, Issued issued) {
        var page = issued.page();
        return render(
                queued,
                brand.name(),
                brand,
                "",
                page == null ? issued.token() : "",
                page == null ? "" : ResetLink.with(page, "token=" + issued.token()),
                "organization_invitation.expires",
                Map.of(
                        "organization",
                        SafeText.name(issued.organization()),
                        "days",
                        OrganizationInvitationTokens.DAYS));
    }

    /** Greets without a name: anyone who requested the change chose the name and the address. */
    Mail renderEmailChange(QueuedCode queued, MailBranding brand, String code) {
        return render(queued, brand.name(), brand, "", code, "", "expires", Map.of());
    }

    private Mail render(
            QueuedCode queued,
            String sender,
            MailBranding brand,
            String name,
            String code,
            String link,
            String expiresPhrase,
            Map<String, Object> more) {
        var language = queued.language();
        Map<String, Object> values = new HashMap<>(Map.of(
                "brand", brand.name(),
                "email", queued.recipient(),
                "name", name,
                "code", code,
                "link", link,
                "isToken", TOKENS.contains(queued.purpose()),
                "minutes", queued.purpose().lifetime().toMinutes(),
                "days", invitation.days(),
                "language", language.text()));
        values.putAll(more);
        values.put("facts", List.of());
        var read = templates();
        for (var part : new String[] {"subject", "title", "intro", "ignore"}) {
            values.put(part, phrase(queued, brand, part, values));
        }
        values.put("expires", read.phrase(language, expiresPhrase, Map.copyOf(values)));
        values.put("linkText", link.isEmpty() ? "" : linkText(read, queued, values));
        return write(queued, sender, brand, name, code, values);
    }

    /** Has a code, or a link to the page. A mail with a link shows no token, since there is nowhere to type it. */
    Mail renderSignIn(
            QueuedCode queued, MailBranding brand, Optional<Recipient> greeted, String secret, @Nullable String page) {
        var isLink = queued.purpose() == CodePurpose.MAGIC_LINK;
        return render(
                queued,
                brand.name(),
                brand,
                greeted.map(MailRenderer::greetingName).orElse(""),
                isLink ? "" : secret,
                isLink ? ResetLink.with(Objects.requireNonNull(page), "token=" + secret) : "",
                queued.purpose().text() + ".expires",
                Map.of());
    }

    /** Tells what happened to an account, and what the recipient can do about it. */
    Mail renderNotice(QueuedNotice queued, MailBranding brand, Optional<Recipient> greeted, Notice notice) {
        var language = queued.language();
        var name = greeted.map(MailRenderer::greetingName).orElse("");
        Map<String, Object> values = new HashMap<>(Map.of(
                "brand", brand.name(),
                "email", queued.recipient(),
                "name", name,
                "code", notice.token(),
                "link", notice.link(),
                "isToken", true,
                "provider", SafeText.name(notice.provider()),
                "days", notice.days(),
                "language", language.text()));
        var read = templates();
        for (var part : new String[] {"subject", "title", "intro"}) {
            values.put(part, phrase(queued, brand, part, values));
        }
        values.put(
                "expires",
                queued.kind().isUndoable()
                        ? read.phrase(language, "notice.undo.action", Map.copyOf(values))
                        : phrase(queued, brand, "action", values));
        values.put("ignore", read.phrase(language, "notice.ignore", Map.copyOf(values)));
        values.put("linkText", notice.link().isEmpty() ? "" : read.phrase(language, "notice.undo", Map.copyOf(values)));
        values.put("facts", NoticeFacts.of(notice, language, key -> read.phrase(language, "notice." + key, Map.of())));
        return write(queued, brand.name(), brand, name, notice.token(), values);
    }

    /** The project's own text, or the server's. */
    private String phrase(OutboxMessage queued, MailBranding brand, String part, Map<String, Object> values) {
        var own = brand.texts().get(part);
        return own == null
                ? templates().phrase(queued.language(), queued.phrases() + "." + part, Map.copyOf(values))
                : MessageTexts.fill(own, values);
    }

    /** The server's text of a part, with its placeholders. */
    String source(Language language, MessageKind kind, MessagePart part) {
        return part == MessagePart.TEXT
                ? SmsText.source(language)
                : templates().source(language, kind.key() + "." + part.text());
    }

    private Mail write(
            OutboxMessage queued,
            String sender,
            MailBranding brand,
            String name,
            String code,
            Map<String, Object> values) {
        var language = queued.language();
        var read = templates();
        values.put("greeting", name.isEmpty() ? "" : read.phrase(language, "greeting", Map.copyOf(values)));
        putBranding(values, brand);
        return new Mail(
                queued.id() + "." + queued.attempts(),
                sender,
                queued.recipient(),
                SafeText.singleLine(String.valueOf(values.get("subject"))),
                code,
                read.text(language, values),
                read.html(language, values),
                brand.logo());
    }

    /**
     * Empty until the address is verified: otherwise an attacker could sign up with somebody else's address and an
     * advertisement as the name, and this server would deliver it.
     */
    private static String greetingName(Recipient recipient) {
        var name = recipient.displayName();
        return name == null || !recipient.emailVerified() ? "" : SafeText.singleLine(name);
    }

    /** Empty for other purposes, and if the project has no page for it. */
    private static String resetLink(QueuedCode queued, Recipient recipient, String code) {
        var page = queued.purpose() == CodePurpose.PASSWORD_RESET ? recipient.passwordResetUrl() : null;
        return page == null ? "" : ResetLink.of(page, code, queued.recipient());
    }

    private static Object linkText(MailTemplates read, QueuedCode queued, Map<String, Object> values) {
        return queued.purpose() == CodePurpose.PASSWORD_RESET
                ? read.phrase(queued.language(), "password_reset.link", Map.copyOf(values))
                : Objects.requireNonNull(values.get("title"));
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
                "radius", brand.borderRadius(),
                "logo", brand.logo().isPresent() ? "cid:" + Mail.LOGO_CONTENT_ID : ""));
    }
}
