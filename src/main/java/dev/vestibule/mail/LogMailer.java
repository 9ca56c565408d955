package dev.vestibule.mail;

import io.vertx.core.Future;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows mails to developers who have no SMTP server: the code on one line of the log, the whole mail as a file. */
final class LogMailer implements Mailer {
    private static final Logger LOG = LoggerFactory.getLogger(LogMailer.class);

    private final String from;
    private final MailFolder folder;

    LogMailer(String from, MailFolder folder) {
        this.from = from;
        this.folder = folder;
    }

    @Override
    public Future<Void> send(Mail mail) {
        LOG.info(
                "Not sent, because smtp.url is not set, which is for development only: \"{}\" to {}{} ({})",
                mail.subject(),
                mail.to(),
                mail.code().isEmpty() ? "" : " with the code " + mail.code(),
                keep(mail));
        return Future.succeededFuture();
    }

    /** Returns the file. The log has everything that a developer needs, so an unwritable folder is not a failure. */
    private String keep(Mail mail) {
        try {
            return folder.keep(mail, from).map(Object::toString).orElse("mail.filesKept is 0");
        } catch (IOException | IllegalArgumentException failure) {
            return "it could not be kept as a file: " + failure;
        }
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
