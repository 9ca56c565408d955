package dev.vestibule.authentication.passkey;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/auth/passkeys}: the signed-in user's own. */
public final class ListPasskeysHandler implements ApiHandler {
    private final Database database;
    private final PasskeyStore store;

    ListPasskeysHandler(Database database, PasskeyStore store) {
        this.database = database;
        this.store = store;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        RelyingParty.requireEnabled(caller.project());
        return store.ofUser(
                        database.reads(), caller.project().id(), caller.user().id())
                .map(Reply::ok);
    }
}
