package dev.vestibule.project.member;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;

/** The mail with an invitation's token. */
@FunctionalInterface
public interface InvitationMail {
    /** Queues the mail in the transaction; false if the address was mailed an invitation just before. */
    Future<Boolean> queue(SqlClient transaction, String email);
}
