package dev.vestibule.mail;

import io.vertx.core.Future;

/** Sends mails. */
interface Mailer {
    /** Fails with an {@link UndeliverableException} if no later attempt can succeed. */
    Future<Void> send(Mail mail);

    Future<Void> close();
}
