package dev.vestibule.authentication;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.audit.Target;
import dev.vestibule.authentication.password.OwnerProof;
import dev.vestibule.authentication.password.OwnerProof.Proved;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlConnection;

/** {@code DELETE /v1/auth/me}: deletes the caller's own account, where the project lets its users do so. */
public final class DeleteMeHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final OwnerProof proof;
    private final AccountDeletion deletion;
    private final RecentSignIn recent;
    private final DeviceReader devices;
    private final Auditor audit;

    public DeleteMeHandler(
            Database database,
            UserStore users,
            OwnerProof proof,
            AccountDeletion deletion,
            RecentSignIn recent,
            DeviceReader devices,
            Auditor audit) {
        this.database = database;
        this.users = users;
        this.proof = proof;
        this.deletion = deletion;
        this.recent = recent;
        this.devices = devices;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        if (!caller.project().allowSelfDeletion()) {
            throw ApiException.forbidden("Users of this project cannot delete their accounts.");
        }
        recent.require(caller);
        var body = Body.find(ctx).isPresent() ? Body.of(ctx) : JsonNodeFactory.instance.objectNode();
        var password = Fields.read(body, fields -> fields.optional("currentPassword", UserFields::submittedPassword));
        var trail = audit.of(ctx);
        return proof.check(caller.user(), devices.read(ctx), password)
                .compose(proved -> database.inTransaction(transaction -> delete(transaction, caller, proved, trail)))
                .map(deleted -> Reply.success());
    }

    /** Of two at once, the second finds no account. */
    private Future<Void> delete(SqlConnection transaction, SignedIn caller, Proved proved, AuditTrail trail) {
        var user = caller.user();
        return users.lock(transaction, user.projectId(), user.id())
                .map(found -> found.orElseThrow(() -> ApiException.unauthorized("This account was deleted.")))
                .compose(account -> {
                    proved.requireFor(account, () -> recent.requireInPlaceOfPassword(caller));
                    return deletion.run(transaction, account.user());
                })
                .compose(deleted -> trail.record(
                        transaction,
                        AuditEvent.ACCOUNT_DELETED,
                        Target.user(user.id().value())));
    }
}
