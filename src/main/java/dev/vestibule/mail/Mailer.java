package dev.vestibule.mail;

import io.vertx.core.Future;

/** Hands a mail over to whoever delivers it. */
interface Mailer {
    /** Fails with an {@link UndeliverableException} where no later attempt can do better. */
    Future<Void> send(Mail mail);

    Future<Void> close();
}
