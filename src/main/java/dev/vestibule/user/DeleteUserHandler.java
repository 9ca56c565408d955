package dev.vestibule.user;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.authentication.AccountDeletion;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code DELETE /v1/dashboard/users/:userId}: deletes the user and all their data; the email can be registered again. */
public final class DeleteUserHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final AccountDeletion deletion;
    private final Auditor audit;

    public DeleteUserHandler(Database database, UserStore users, AccountDeletion deletion, Auditor audit) {
        this.database = database;
        this.users = users;
        this.deletion = deletion;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        var trail = audit.of(ctx);
        return database.inTransaction(transaction -> users.lock(transaction, project, user)
                        .map(found -> found.orElseThrow(UserErrors::notFound))
                        .compose(account -> deletion.run(transaction, account.user()))
                        .compose(deleted ->
                                trail.record(transaction, AuditEvent.USER_DELETED, Target.user(user.value()))))
                .map(deleted -> Reply.success());
    }
}
