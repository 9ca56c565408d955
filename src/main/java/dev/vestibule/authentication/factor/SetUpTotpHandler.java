package dev.vestibule.authentication.factor;

import dev.vestibule.access.Caller;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/mfa/totp/setup}: a secret for the user's authenticator app, which a code has to confirm. */
public final class SetUpTotpHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final Factors factors;
    private final RecentSignIn recent;

    SetUpTotpHandler(Database database, UserStore users, Factors factors, RecentSignIn recent) {
        this.database = database;
        this.users = users;
        this.factors = factors;
        this.recent = recent;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        caller.project().factors().requireTotp();
        recent.require(caller);
        var project = caller.project();
        return database.inTransaction(transaction -> users.lock(
                                transaction, project.id(), caller.user().id())
                        .map(found -> found.orElseThrow(UserErrors::beingChanged))
                        .compose(account -> factors.setUp(transaction, project, account.user())))
                .map(Reply::ok);
    }
}
