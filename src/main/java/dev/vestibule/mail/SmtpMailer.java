package dev.vestibule.mail;

import dev.vestibule.config.MailSettings;
import dev.vestibule.config.SmtpAddress;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.ext.mail.LoginOption;
import io.vertx.ext.mail.MailAttachment;
import io.vertx.ext.mail.MailClient;
import io.vertx.ext.mail.MailConfig;
import io.vertx.ext.mail.MailMessage;
import io.vertx.ext.mail.SMTPException;
import io.vertx.ext.mail.SMTPException.EnhancedStatus;
import io.vertx.ext.mail.StartTLSOptions;
import io.vertx.ext.mail.mailencoder.EmailAddress;
import java.net.IDN;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Hands mails over to an SMTP server (RFC 5321). */
final class SmtpMailer implements Mailer {
    /** No such mailbox, not here, or not a name of one (RFC 5321, 4.2.3). */
    private static final Set<Integer> NO_SUCH_MAILBOX = Set.of(550, 551, 553);

    private static final String OF_RECIPIENT = "recipient address not accepted";

    private static final int CONNECT_MILLIS = 10_000;

    private final MailClient client;
    private final String from;

    SmtpMailer(Vertx vertx, SmtpAddress address, MailSettings settings) {
        this.client = MailClient.create(vertx, config(address, settings));
        this.from = settings.from();
    }

    private static MailConfig config(SmtpAddress address, MailSettings settings) {
        var config = new MailConfig(address.host(), address.port())
                .setConnectTimeout(CONNECT_MILLIS)
                .setIdleTimeout((int) settings.attemptLimit().toSeconds())
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setMaxPoolSize(settings.inFlight())
                .setOwnHostname(domain(settings.from()))
                .setUserAgent("vestibule")
                // A server that refuses the recipient and takes the DATA sent along would wait for a body.
                .setPipelining(false);
        address.login()
                .ifPresentOrElse(
                        login -> config.setLogin(LoginOption.REQUIRED)
                                .setUsername(login.user())
                                .setPassword(login.password().reveal()),
                        () -> config.setLogin(LoginOption.DISABLED));
        return switch (address.protection()) {
            case TLS -> config.setSsl(true).setStarttls(StartTLSOptions.DISABLED);
            case REQUIRED -> config.setStarttls(StartTLSOptions.REQUIRED);
            // Opportunistic (RFC 7435): a certificate of any kind protects better than none.
            case OPTIONAL -> config.setStarttls(StartTLSOptions.OPTIONAL).setTrustAll(true);
            case DISABLED -> config.setStarttls(StartTLSOptions.DISABLED);
        };
    }

    @Override
    public Future<Void> send(Mail mail) {
        MailMessage message;
        try {
            message = message(mail);
        } catch (IllegalArgumentException notAnAddress) {
            return Future.failedFuture(new UndeliverableException("SMTP cannot express the address"));
        }
        return client.sendMail(message).<Void>mapEmpty().recover(SmtpMailer::explain);
    }

    private MailMessage message(Mail mail) {
        var to = new EmailAddress(deliverable(mail.to())).getEmail(); // refuses what the client cannot express
        var message = new MailMessage(from, to, null, mail.text())
                .setHtml(mail.html())
                .setHeaders(MultiMap.caseInsensitiveMultiMap()
                        .set("From", EncodedWords.of(mail.sender()) + " <" + from + ">")
                        .set("Subject", EncodedWords.of(mail.subject()))
                        .set("Message-ID", "<" + mail.id() + "@" + domain(from) + ">")
                        .set("Auto-Submitted", "auto-generated")); // RFC 3834: no answering machine shall answer
        mail.logo().ifPresent(logo -> message.setInlineAttachment(attachment(logo)));
        return message;
    }

    private static MailAttachment attachment(LogoAttachment logo) {
        return MailAttachment.create()
                .setData(logo.image())
                .setContentType(logo.contentType())
                .setDisposition("inline")
                .setContentId("<" + Mail.LOGO_ID + ">");
    }

    /** The domain in ASCII (RFC 5891); the part before it is the recipient's server's own affair. */
    private static String deliverable(String email) {
        return email.substring(0, email.lastIndexOf('@') + 1) + IDN.toASCII(domain(email));
    }

    private static String domain(String email) {
        return email.substring(email.lastIndexOf('@') + 1);
    }

    /** Without the server's words, which name the recipient. */
    private static Future<Void> explain(Throwable failure) {
        if (failure instanceof SMTPException refusal) {
            var what = String.format(Locale.ROOT, "the SMTP server answered %d", refusal.getReplyCode());
            return Future.failedFuture(
                    isNoMailbox(refusal) ? new UndeliverableException(what) : new IllegalStateException(what));
        }
        return Future.failedFuture(failure);
    }

    /** The same codes also tell of the sender, the content, or a policy (RFC 3463), which an operator may mend. */
    private static boolean isNoMailbox(SMTPException refusal) {
        return NO_SUCH_MAILBOX.contains(refusal.getReplyCode())
                && String.valueOf(refusal.getMessage()).startsWith(OF_RECIPIENT)
                && refusal.getEnhancedStatus() != EnhancedStatus.OTHER_SECURITY;
    }

    @Override
    public Future<Void> close() {
        return client.close();
    }
}
