package dev.vestibule.authentication.factor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.factor.EnrolmentSignIn.Confirmation;
import dev.vestibule.authentication.factor.Factors.Remover;
import dev.vestibule.authentication.factor.Factors.Setup;
import dev.vestibule.authentication.passkey.Passkeys;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.audit.AuditEvent;
import dev.vestibule.journal.audit.AuditTrail;
import dev.vestibule.journal.audit.Target;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.NoticeKind;
import dev.vestibule.project.Project;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.SignInResult;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;

/** The second factors of the caller and of a user. */
public final class FactorHandler {
    private final Database database;
    private final UserStore users = new UserStore();
    private final CodedChange changes;
    private final Factors factors;
    private final Passkeys passkeys;
    private final SessionStore sessions;
    private final EnrolmentSignIn enrolment;
    private final RecentSignIn recent;
    private final FactorNotices notices;
    private final Clock clock;

    FactorHandler(
            Database database,
            Factors factors,
            Passkeys passkeys,
            SessionStore sessions,
            EnrolmentSignIn enrolment,
            RecentSignIn recent,
            FactorNotices notices,
            Clock clock) {
        this.database = database;
        this.changes = new CodedChange(database);
        this.factors = factors;
        this.passkeys = passkeys;
        this.sessions = sessions;
        this.enrolment = enrolment;
        this.recent = recent;
        this.notices = notices;
        this.clock = clock;
    }

    /** {@code GET /v1/auth/mfa/status}: whether the signed-in user has a second factor. */
    public Future<Reply> status(ApiRequest request) {
        var user = request.user().user();
        return factors.status(database.reads(), user.projectId(), user.id()).map(Reply::ok);
    }

    /**
     * {@code POST /v1/auth/mfa/totp/setup}: a secret for the user's authenticator app, which a code has to confirm. For
     * a user who is signed in, or who must set up a factor to sign in and has the token for it.
     */
    public Future<Reply> setUpTotp(ApiRequest request) {
        var project = request.project();
        project.factors().requireTotp();
        var caller = request.userIfAny();
        var setup =
                caller.isPresent() ? setUp(caller.get()) : enrolment.setUp(project, mfaToken(request.bodyOrEmpty()));
        return setup.map(Reply::ok);
    }

    /** What {@link #setUpTotp} does for a person who must set it up to sign in on the hosted page. */
    public Future<Setup> setUpTotpOnPage(Project project, String mfaToken) {
        project.factors().requireTotp();
        return enrolment.setUp(project, mfaToken);
    }

    private Future<Setup> setUp(SignedIn caller) {
        recent.require(caller);
        var project = caller.project();
        return database.inTransaction(transaction -> users.lock(
                        transaction, project.id(), caller.user().id())
                .map(found -> found.orElseThrow(UserErrors::beingChanged))
                .compose(account -> factors.setUp(transaction, project, account.user())));
    }

    /** A 401 if there is none: then the access token is what is missing. */
    private static String mfaToken(ObjectNode body) {
        var token = Fields.read(body, fields -> fields.optional("mfaToken", FieldType.token()));
        if (token == null) {
            throw ApiException.of(
                    ErrorCode.CREDENTIALS_REQUIRED,
                    "This endpoint needs a user's access token, as Authorization: Bearer, or an mfaToken.");
        }
        return token;
    }

    /**
     * {@code POST /v1/auth/mfa/totp/verify-setup}: from now on sign in by password asks for a code. With the token of a
     * sign in that waits for this, opens the session.
     */
    public Future<Reply> verifyTotpSetup(ApiRequest request) {
        request.project().factors().requireTotp();
        var caller = request.userIfAny();
        return caller.isPresent()
                ? confirm(request, caller.get())
                : enrolment.confirm(confirmation(request)).map(Reply::ok);
    }

    /** What {@link #verifyTotpSetup} does for a sign in on the hosted page, which hands out no tokens. */
    public Future<SignInResult> verifyTotpSetupOnPage(ApiRequest request) {
        request.project().factors().requireTotp();
        return enrolment.open(confirmation(request)).map(EnrolmentSignIn.Opened::session);
    }

    private Confirmation confirmation(ApiRequest request) {
        var body = request.bodyOrEmpty();
        var token = mfaToken(body);
        return new Confirmation(
                request.project(),
                token,
                Fields.read(body, fields -> fields.required("code", FactorCode::parseTotp)),
                request.language(),
                request.device(),
                request.trail());
    }

    private Future<Reply> confirm(ApiRequest request, SignedIn caller) {
        recent.require(caller);
        var code = request.fields(fields -> fields.required("code", FactorCode::parseTotp));
        var trail = request.trail();
        var device = request.device();
        var language = request.language();
        var now = clock.instant();
        return changes.run(
                        caller.user(),
                        trail,
                        (transaction, account) -> factors.confirm(transaction, account.user(), code, now),
                        (transaction, user) -> sessions.endOthers(
                                        transaction,
                                        user.projectId(),
                                        user.id(),
                                        caller.token().session(),
                                        EndReason.FACTOR_ADDED,
                                        now)
                                .compose(ended -> sessions.rememberNetworkForFactor(transaction, user, device, now))
                                .compose(known -> trail.record(
                                        transaction,
                                        AuditEvent.FACTOR_SET_UP,
                                        Target.user(user.id().value()),
                                        Factors.TOTP))
                                .compose(recorded -> notices.tellAboutNewFactor(
                                        transaction, caller.project(), user, now, device, language))
                                .map(notified -> Reply.success()))
                .onSuccess(done -> notices.wakeUp());
    }

    private record NewBackupCodes(List<String> backupCodes) {
        /** Redacted, so that no code reaches a log. */
        @Override
        public String toString() {
            return "NewBackupCodes";
        }
    }

    /** {@code POST /v1/auth/mfa/backup-codes/regenerate}: with a code, replaces the backup codes with ten new ones. */
    public Future<Reply> regenerateBackupCodes(ApiRequest request) {
        return changeWithCode(
                request,
                NoticeKind.BACKUP_CODES_REPLACED,
                account -> {},
                (transaction, user, trail) -> factors.replaceBackupCodes(transaction, user)
                        .compose(codes -> trail.record(
                                        transaction,
                                        AuditEvent.BACKUP_CODES_REGENERATED,
                                        Target.user(user.id().value()))
                                .map(Reply.ok(new NewBackupCodes(codes)))));
    }

    /**
     * {@code POST /v1/auth/mfa/disable}: with a code, turns the factor off: the password alone opens sessions again.
     */
    public Future<Reply> disable(ApiRequest request) {
        return changeWithCode(
                request,
                NoticeKind.FACTOR_REMOVED,
                account -> requireAnother(request.project(), account),
                (transaction, user, trail) -> factors.remove(transaction, user, Remover.USER)
                        .compose(removed -> trail.record(
                                transaction,
                                AuditEvent.FACTOR_DISABLED,
                                Target.user(user.id().value()),
                                Factors.TOTP))
                        .map(recorded -> Reply.success()));
    }

    /** A change that a code allows; it writes its own audit entry. */
    private interface Allowed {
        Future<Reply> make(SqlConnection transaction, User user, AuditTrail trail);
    }

    /** Takes a code of any factor, makes the change that it allows, and tells the user by mail. */
    private Future<Reply> changeWithCode(
            ApiRequest request, NoticeKind kind, Consumer<Account> requirement, Allowed change) {
        var caller = request.user();
        recent.requireWithCode(caller);
        var code = request.fields(fields -> fields.required("code", FactorCode::parse));
        var trail = request.trail();
        var device = request.device();
        var language = request.language();
        return changes.run(
                        caller.user(),
                        trail,
                        (transaction, account) -> {
                            requirement.accept(account);
                            return factors.check(transaction, account.user(), code, device)
                                    .map(Factors.Verdict::isRight);
                        },
                        (transaction, user) -> change.make(transaction, user, trail)
                                .compose(reply -> notices.tell(transaction, user, kind, device, language)
                                        .map(reply)))
                .onSuccess(done -> notices.wakeUp());
    }

    /** A 409 if the project requires a second factor and the account has no passkey that counts as one. */
    private static void requireAnother(Project project, Account account) {
        if (project.factors().requiresMfa() && !account.user().hasPasskeyAsFactor(project)) {
            throw UserErrors.lastSecondFactor();
        }
    }

    /**
     * {@code DELETE /v1/dashboard/users/:userId/factors} and {@code /v1/backend/users/:userId/factors}: for a user who
     * has lost all second factors; passkeys go too.
     */
    public Future<Reply> reset(ApiRequest request) {
        var project = request.project().id();
        var user = new UserId(request.pathId("userId"));
        var trail = request.trail();
        var language = request.project().language(null);
        return database.inTransaction(transaction -> users.lock(transaction, project, user)
                        .map(found -> found.orElseThrow(UserErrors::notFound))
                        .map(Account::user)
                        .compose(found -> factors.remove(transaction, found, Remover.MANAGEMENT)
                                .compose(removed -> removed
                                        ? notices.tellAboutManagement(
                                                transaction, found, NoticeKind.FACTOR_REMOVED, language)
                                        : Future.succeededFuture())
                                .compose(notified -> passkeys.removeAll(transaction, found, clock.instant()))
                                .compose(removed -> removed > 0
                                        ? notices.tellAboutManagement(
                                                transaction, found, NoticeKind.PASSKEY_REMOVED, language)
                                        : Future.succeededFuture()))
                        .compose(notified ->
                                trail.record(transaction, AuditEvent.USER_FACTORS_RESET, Target.user(user.value()))))
                .onSuccess(done -> notices.wakeUp())
                .map(done -> Reply.success());
    }
}
