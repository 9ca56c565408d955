package dev.vestibule.mail;

import com.google.common.html.HtmlEscapers;
import dev.vestibule.journal.NoticeKind;
import dev.vestibule.mail.MailBranding.Colours;
import dev.vestibule.mail.OutboxMessage.QueuedCode;
import dev.vestibule.mail.OutboxMessage.QueuedNotice;
import dev.vestibule.mail.RecipientStore.Recipient;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.branding.Branding;
import dev.vestibule.session.Device;
import dev.vestibule.user.UserId;
import dev.vestibule.user.organization.OrganizationInvitationTokens.Issued;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Renders mails and SMS in an unsaved branding and unsaved texts, to a made-up user; nothing is queued or sent. */
public final class MailPreview {
    private static final UUID NOBODY = new UUID(0, 0);
    private static final String EMAIL = "ada@example.com";
    private static final String CODE = "123456";
    private static final String RESET_CODE = "0123456789ABC";
    private static final String LINK = "https://app.example.com/sign-in";
    private static final String ORGANIZATION = "Analytical Engines";
    private static final String PROVIDER = "Google";
    private static final int UNDO_DAYS = 7;
    private static final String AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

    private static final String SMS = """
            <!DOCTYPE html>
            <html lang="%s"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
            <body style="font-family:sans-serif"><p dir="auto">%s</p></body></html>
            """;

    /** A mail without its plain text, with the logo as a data URL; or an SMS, which has no subject. */
    public record Preview(@Nullable String subject, String html) {}

    private final MailRenderer renderer;
    private final Clock clock;

    MailPreview(MailRenderer renderer, Clock clock) {
        this.renderer = renderer;
        this.clock = clock;
    }

    /** Do not call this on an event loop: the first call reads the templates. */
    public Preview of(
            Project project, Branding branding, Language language, MessageKind kind, Map<String, String> texts) {
        if (kind.equals(MessageKind.SMS)) {
            var text = SmsText.of(language, texts, branding.brandName(), CODE);
            return new Preview(
                    null,
                    SMS.formatted(language.text(), HtmlEscapers.htmlEscaper().escape(text)));
        }
        var brand = MailBranding.of(
                branding.brandName(),
                new Colours(
                        branding.primaryColorStart(),
                        branding.primaryColorEnd(),
                        branding.lightBg(),
                        branding.lightText(),
                        branding.darkBg(),
                        branding.darkText()),
                branding.borderRadius(),
                branding.logoDataUrl(),
                texts);
        var user = new Recipient(new UserId(NOBODY), "Ada", true, false, brand, project.passwordResetUrl());
        var mail = mail(project, language, kind, brand, user);
        return new Preview(mail.subject(), withLogo(mail.html(), branding.logoDataUrl()));
    }

    private Mail mail(Project project, Language language, MessageKind kind, MailBranding brand, Recipient user) {
        var notice = kind.notice();
        return notice == null
                ? mail(project, code(project, Objects.requireNonNull(kind.purpose()), language), brand, user)
                : notice(project, notice, language, brand, user);
    }

    private Mail mail(Project project, QueuedCode queued, MailBranding brand, Recipient user) {
        return switch (queued.purpose()) {
            case VERIFICATION -> renderer.render(queued, user, CODE);
            case PASSWORD_RESET ->
                renderer.render(queued, user, queued.purpose().readable(RESET_CODE));
            case EMAIL_CHANGE -> renderer.renderEmailChange(queued, brand, CODE);
            case EMAIL_OTP, MAGIC_LINK ->
                renderer.renderSignIn(
                        queued,
                        brand,
                        Optional.of(user),
                        CODE,
                        Objects.requireNonNullElse(project.magicLinkPage(), LINK));
            case ORGANIZATION_INVITATION ->
                renderer.renderInvitation(queued, brand, new Issued(RESET_CODE, ORGANIZATION, LINK));
            case INVITATION, SMS_SIGN_IN, SMS_PHONE -> throw new IllegalArgumentException("not a mail of a project");
        };
    }

    private Mail notice(Project project, NoticeKind kind, Language language, MailBranding brand, Recipient user) {
        var now = clock.instant();
        var plain = Notice.of(now, new Device(AGENT, "192.0.2.1", "GB"));
        var told = switch (kind) {
            case PROVIDER_LINKED, PROVIDER_UNLINKED -> plain.withProvider(PROVIDER);
            case EMAIL_CHANGE_REQUESTED, EMAIL_CHANGED -> plain.withNewEmail("ada@example.org");
            default -> plain;
        };
        var queued = new QueuedNotice(project.id(), NOBODY, user.id(), kind, EMAIL, language, Buffer.buffer(), now, 1);
        return renderer.renderNotice(
                queued,
                brand,
                Optional.of(user),
                kind.isUndoable() ? told.withUndo(RESET_CODE, UNDO_DAYS, null) : told);
    }

    private QueuedCode code(Project project, CodePurpose purpose, Language language) {
        return new QueuedCode(project.id(), NOBODY, purpose, EMAIL, Buffer.buffer(), language, clock.instant(), 1);
    }

    /** Mails have the logo as a separate part, which a page cannot show. */
    private static String withLogo(String html, @Nullable String logoDataUrl) {
        return logoDataUrl == null ? html : html.replace("cid:" + Mail.LOGO_CONTENT_ID, logoDataUrl);
    }
}
