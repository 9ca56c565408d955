package dev.vestibule.journal;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;

/** Queues a mail that tells a person what happened to their account. */
@FunctionalInterface
public interface Notifier {
    Future<Void> tell(SqlClient transaction, NoticeKind kind);
}
