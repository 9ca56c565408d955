package dev.vestibule.user.organization;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.UUID;

/** The mail with an invitation's token. */
@FunctionalInterface
interface OrganizationInvitationMail {
    /** Queues the mail in the transaction; false if the address was mailed an invitation just before. */
    Future<Boolean> queue(SqlClient transaction, UUID mail, String email);
}
