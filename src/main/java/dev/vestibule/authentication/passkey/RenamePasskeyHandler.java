package dev.vestibule.authentication.passkey;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code PATCH /v1/auth/passkeys/:passkeyId}: gives one of the user's passkeys another name. */
public final class RenamePasskeyHandler implements ApiHandler {
    private final Database database;
    private final PasskeyStore store;
    private final Auditor audit;

    RenamePasskeyHandler(Database database, PasskeyStore store, Auditor audit) {
        this.database = database;
        this.store = store;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        RelyingParty.requireEnabled(caller.project());
        var passkey = PathId.of(ctx, "passkeyId");
        var name = Fields.read(Body.of(ctx), fields -> fields.required("name", PasskeyFields::name));
        var user = caller.user().id();
        var trail = audit.of(ctx);
        return database.inTransaction(transaction -> store.rename(
                                transaction, caller.project().id(), user, passkey, name)
                        .map(found -> found.orElseThrow(PasskeyErrors::unknown))
                        .compose(renamed -> trail.record(
                                        transaction,
                                        AuditEvent.PASSKEY_RENAMED,
                                        Target.user(user.value()),
                                        Map.of("passkeyId", passkey))
                                .map(renamed)))
                .map(Reply::ok);
    }
}
