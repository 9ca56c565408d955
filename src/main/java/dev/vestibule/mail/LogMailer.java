package dev.vestibule.mail;

import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs mails in full, for developers who have no SMTP server. */
final class LogMailer implements Mailer {
    private static final Logger LOG = LoggerFactory.getLogger(LogMailer.class);

    private final String from;

    LogMailer(String from) {
        this.from = from;
    }

    @Override
    public Future<Void> send(Mail mail) {
        LOG.info("This mail is logged because smtp.url is not set, which is for development only:");
        LOG.info("| From: {} <{}>", mail.sender(), from);
        LOG.info("| To: {}", mail.to());
        LOG.info("| Subject: {}", mail.subject());
        mail.text().lines().forEach(line -> LOG.info("| {}", line));
        LOG.info("| and as HTML:");
        mail.html().lines().forEach(line -> LOG.info("| {}", line));
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
