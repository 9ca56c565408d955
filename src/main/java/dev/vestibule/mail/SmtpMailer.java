package dev.vestibule.mail;

import dev.vestibule.config.MailSettings;
import dev.vestibule.config.SmtpAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.mail.LoginOption;
import io.vertx.ext.mail.MailClient;
import io.vertx.ext.mail.MailConfig;
import io.vertx.ext.mail.MailMessage;
import io.vertx.ext.mail.SMTPException;
import io.vertx.ext.mail.SMTPException.EnhancedStatus;
import io.vertx.ext.mail.StartTLSOptions;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Sends mails through an SMTP server (RFC 5321). */
final class SmtpMailer implements Mailer {
    /** The mailbox does not exist, is elsewhere, or has an invalid name (RFC 5321, 4.2.3). */
    private static final Set<Integer> NO_SUCH_MAILBOX = Set.of(550, 551, 553);

    private static final String RECIPIENT_REJECTED = "recipient address not accepted";

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
                .setOwnHostname(MimeMessage.domain(settings.from()))
                .setUserAgent("vestibule")
                // With pipelining, a server that rejects the recipient but accepts DATA would wait for a body.
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
            // Opportunistic TLS (RFC 7435): an unverified certificate is better than no encryption.
            case OPTIONAL -> config.setStarttls(StartTLSOptions.OPTIONAL).setTrustAll(true);
            case DISABLED -> config.setStarttls(StartTLSOptions.DISABLED);
        };
    }

    @Override
    public Future<Void> send(Mail mail) {
        MailMessage message;
        try {
            message = MimeMessage.of(mail, from);
        } catch (IllegalArgumentException invalidAddress) {
            return Future.failedFuture(new UndeliverableException("the email address cannot be used with SMTP"));
        }
        return client.sendMail(message).<Void>mapEmpty().recover(SmtpMailer::describe);
    }

    /** Leaves out the text of the server's reply, which contains the recipient's address. */
    private static Future<Void> describe(Throwable failure) {
        if (failure instanceof SMTPException rejection) {
            var what = String.format(Locale.ROOT, "the SMTP server answered %d", rejection.getReplyCode());
            return Future.failedFuture(
                    isUnknownMailbox(rejection) ? new UndeliverableException(what) : new IllegalStateException(what));
        }
        return Future.failedFuture(failure);
    }

    /**
     * Checks the text too: servers also use these codes for the sender, the content or a policy (RFC 3463), which an
     * operator can correct.
     */
    private static boolean isUnknownMailbox(SMTPException rejection) {
        return NO_SUCH_MAILBOX.contains(rejection.getReplyCode())
                && String.valueOf(rejection.getMessage()).startsWith(RECIPIENT_REJECTED)
                && rejection.getEnhancedStatus() != EnhancedStatus.OTHER_SECURITY;
    }

    @Override
    public Future<Void> close() {
        return client.close();
    }
}
