package dev.vestibule.user;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.authentication.AccountUnlock;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/dashboard/users/:userId/unlock}: the user may sign in again after too many wrong tries. */
public final class UnlockUserHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final AccountUnlock unlock;
    private final Auditor audit;

    public UnlockUserHandler(Database database, UserStore users, AccountUnlock unlock, Auditor audit) {
        this.database = database;
        this.users = users;
        this.unlock = unlock;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        var trail = audit.of(ctx);
        return database.inTransaction(transaction -> users.lock(transaction, project, user)
                        .map(found -> found.orElseThrow(UserErrors::notFound))
                        .compose(account -> unlock.run(transaction, account.user()))
                        .compose(unlocked ->
                                trail.record(transaction, AuditEvent.USER_UNLOCKED, Target.user(user.value()))))
                .map(done -> Reply.success());
    }
}
