package dev.vestibule.authentication;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.Impersonation;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.password.OwnerProof;
import dev.vestibule.authentication.password.OwnerProof.Proved;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Fields;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.user.SignInMethodStore;
import dev.vestibule.user.User;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/** The account of the signed-in user, {@code /v1/auth/me}. */
public final class MeHandler {
    private final Database database;
    private final UserStore users = new UserStore();
    private final SignInMethodStore methods = new SignInMethodStore();
    private final ActiveSessionStore active = new ActiveSessionStore();
    private final OwnerProof proof;
    private final AccountDeletion deletion;
    private final RecentSignIn recent;
    private final Clock clock;

    MeHandler(Database database, OwnerProof proof, AccountDeletion deletion, RecentSignIn recent, Clock clock) {
        this.database = database;
        this.proof = proof;
        this.deletion = deletion;
        this.recent = recent;
        this.clock = clock;
    }

    /** {@code GET /v1/auth/me}: the signed-in user. */
    public Future<Reply> get(ApiRequest request) {
        return Future.succeededFuture(Reply.ok(request.user().user()));
    }

    /** {@code PATCH /v1/auth/me}: changes the given fields of the profile; null clears a field. */
    public Future<Reply> update(ApiRequest request) {
        var caller = request.user();
        var change = request.fields(fields -> UserChange.forProfile(fields, caller.project()));
        if (change.phone().isMade()) {
            Impersonation.refuse(caller); // a phone number can sign in, if codes are sent to it
        }
        if (caller.user().phoneVerified()
                && change.phone().isMade()
                && !Objects.equals(change.phone().value(), caller.user().phone())) {
            recent.require(caller); // it no longer signs in then
        }
        if (!change.isMade()) {
            return Future.succeededFuture(Reply.ok(caller.user()));
        }
        var trail = request.trail();
        return database.inTransaction(transaction -> update(trail, transaction, caller, change, clock.instant()))
                .map(Reply::ok);
    }

    private Future<User> update(
            Trail trail, SqlConnection transaction, SignedIn caller, UserChange change, Instant now) {
        var user = caller.user();
        return users.update(transaction, user.projectId(), user.id(), change, now)
                .map(found -> found.orElseThrow(UserErrors::deleted))
                .compose(updated -> signedInOnlyByPhone(caller) && !updated.phoneVerified()
                        ? requireAnotherWayIn(transaction, caller).map(updated)
                        : Future.succeededFuture(updated))
                .compose(updated -> trail.record(
                                transaction, Published.PROFILE_UPDATED, updated, Map.of("fields", change.names()))
                        .map(updated));
    }

    /** Whether codes to the phone may be the only way to sign in; those to an email are one too. */
    private static boolean signedInOnlyByPhone(SignedIn caller) {
        var factors = caller.project().factors();
        var user = caller.user();
        return factors.sms() && user.phoneVerified() && !(factors.passwordless() && user.email() != null);
    }

    /** A 409 if codes to the phone were the only way to sign in. */
    private Future<Void> requireAnotherWayIn(SqlConnection transaction, SignedIn caller) {
        return users.lockExisting(
                        transaction, caller.project().id(), caller.user().id())
                .compose(account -> methods.requireOne(transaction, caller.project(), account));
    }

    /** {@code DELETE /v1/auth/me}: deletes the caller's own account, if the project allows its users to. */
    public Future<Reply> delete(ApiRequest request) {
        var caller = request.user();
        if (!caller.project().allowSelfDeletion()) {
            throw ApiException.of(
                    ErrorCode.SELF_DELETION_DISABLED, "Users of this project cannot delete their accounts.");
        }
        recent.require(caller);
        var password = Fields.read(
                request.bodyOrEmpty(), fields -> fields.optional("currentPassword", UserFields::submittedPassword));
        var trail = request.trail();
        return proof.check(caller.project(), caller.user(), request.device(), password)
                .compose(proved -> database.inTransaction(transaction -> delete(transaction, caller, proved, trail)))
                .map(deleted -> Reply.success());
    }

    private Future<Void> delete(SqlConnection transaction, SignedIn caller, Proved proved, Trail trail) {
        var user = caller.user();
        return active.lockAccount(transaction, user.projectId(), caller.token().session(), user.id(), clock.instant())
                .compose(account -> {
                    proved.requireFor(account, () -> recent.requireInsteadOfPassword(caller));
                    return deletion.runByUser(trail, transaction, account.user());
                });
    }
}
