package dev.vestibule.mail;

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
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Renders mails in an unsaved branding, to a made-up user; nothing is queued or sent. */
public final class MailPreview {
    private static final UUID NOBODY = new UUID(0, 0);
    private static final String EMAIL = "ada@example.com";
    private static final String CODE = "123456";
    private static final String RESET_CODE = "0123456789ABC";
    private static final String LINK = "https://app.example.com/sign-in";
    private static final String AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

    /** The mails that users get most. */
    public enum Shown {
        VERIFICATION,
        PASSWORD_RESET,
        MAGIC_LINK,
        SIGN_IN_CODE,
        EMAIL_CHANGE,
        NEW_SIGN_IN
    }

    /** A mail without its plain text; the logo is embedded as a data URL. */
    public record Preview(String subject, String html) {}

    private final MailRenderer renderer;
    private final Clock clock;

    MailPreview(MailRenderer renderer, Clock clock) {
        this.renderer = renderer;
        this.clock = clock;
    }

    /** Not for an event loop: the first call reads the templates. */
    public Preview of(Project project, Branding branding, Language language, Shown shown) {
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
                branding.logoDataUrl());
        var user = new Recipient(new UserId(NOBODY), "Ada", true, false, brand, project.passwordResetUrl());
        var mail = mail(project, language, shown, brand, user);
        return new Preview(mail.subject(), withLogo(mail.html(), branding.logoDataUrl()));
    }

    private Mail mail(Project project, Language language, Shown shown, MailBranding brand, Recipient user) {
        var now = clock.instant();
        return switch (shown) {
            case VERIFICATION -> renderer.render(code(project, CodePurpose.VERIFICATION, language, now), user, CODE);
            case PASSWORD_RESET ->
                renderer.render(
                        code(project, CodePurpose.PASSWORD_RESET, language, now),
                        user,
                        CodePurpose.PASSWORD_RESET.readable(RESET_CODE));
            case EMAIL_CHANGE ->
                renderer.renderEmailChange(code(project, CodePurpose.EMAIL_CHANGE, language, now), brand, CODE);
            case MAGIC_LINK -> signIn(code(project, CodePurpose.MAGIC_LINK, language, now), project, brand, user);
            case SIGN_IN_CODE -> signIn(code(project, CodePurpose.EMAIL_OTP, language, now), project, brand, user);
            case NEW_SIGN_IN ->
                renderer.renderNotice(
                        new QueuedNotice(
                                project.id(),
                                NOBODY,
                                user.id(),
                                NoticeKind.NEW_SIGN_IN,
                                EMAIL,
                                language,
                                Buffer.buffer(),
                                now,
                                1),
                        brand,
                        Optional.of(user),
                        Notice.of(now, new Device(AGENT, "192.0.2.1", "GB")));
        };
    }

    private static QueuedCode code(Project project, CodePurpose purpose, Language language, Instant now) {
        return new QueuedCode(project.id(), NOBODY, purpose, EMAIL, Buffer.buffer(), language, now, 1);
    }

    private Mail signIn(QueuedCode queued, Project project, MailBranding brand, Recipient user) {
        var page = Objects.requireNonNullElse(project.magicLinkPage(), LINK);
        return renderer.renderSignIn(queued, brand, Optional.of(user), CODE, page);
    }

    /** Mails have the logo as a separate part, which a page cannot show. */
    private static String withLogo(String html, @Nullable String logoDataUrl) {
        return logoDataUrl == null ? html : html.replace("cid:" + Mail.LOGO_CONTENT_ID, logoDataUrl);
    }
}
