package dev.vestibule.authentication.factor;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.authentication.factor.Factors.Remover;
import dev.vestibule.authentication.passkey.Passkeys;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.mail.NoticeKind;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code DELETE /v1/dashboard/users/:userId/factors}: for a user who has lost all second factors; passkeys go too. */
public final class ResetUserFactorsHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final Factors factors;
    private final Passkeys passkeys;
    private final Auditor audit;
    private final FactorNotices notices;
    private final Clock clock;

    ResetUserFactorsHandler(
            Database database,
            UserStore users,
            Factors factors,
            Passkeys passkeys,
            Auditor audit,
            FactorNotices notices,
            Clock clock) {
        this.database = database;
        this.users = users;
        this.factors = factors;
        this.passkeys = passkeys;
        this.audit = audit;
        this.notices = notices;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        var trail = audit.of(ctx);
        var language = Caller.project(ctx).language(null);
        return database.inTransaction(transaction -> users.lock(transaction, project, user)
                        .map(found -> found.orElseThrow(UserErrors::notFound))
                        .map(Account::user)
                        .compose(found -> factors.remove(transaction, found, Remover.MANAGEMENT)
                                .compose(removed -> removed
                                        ? notices.tellOfManagement(
                                                transaction, found, NoticeKind.FACTOR_REMOVED, language)
                                        : Future.succeededFuture())
                                .compose(told -> passkeys.removeAll(transaction, found, clock.instant()))
                                .compose(removed -> removed > 0
                                        ? notices.tellOfManagement(
                                                transaction, found, NoticeKind.PASSKEY_REMOVED, language)
                                        : Future.succeededFuture()))
                        .compose(told ->
                                trail.record(transaction, AuditEvent.USER_FACTORS_RESET, Target.user(user.value()))))
                .onSuccess(done -> notices.wakeUp())
                .map(done -> Reply.success());
    }
}
