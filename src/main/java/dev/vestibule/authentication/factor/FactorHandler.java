package dev.vestibule.authentication.factor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.factor.Factors.Remover;
import dev.vestibule.authentication.factor.Factors.Setup;
import dev.vestibule.authentication.passkey.Passkeys;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.NoticeKind;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.Notice;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.Device;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** The second factors of the caller and of a user. */
public final class FactorHandler {
    private final Database database;
    private final UserStore users = new UserStore();
    private final ActiveSessionStore active = new ActiveSessionStore();
    private final CodedChange changes;
    private final Factors factors;
    private final Passkeys passkeys;
    private final SessionStore sessions;
    private final EnrolmentSignIn enrolment;
    private final RecentSignIn recent;
    private final Mails mails;
    private final Clock clock;

    FactorHandler(
            Database database,
            Factors factors,
            Passkeys passkeys,
            SessionStore sessions,
            EnrolmentSignIn enrolment,
            RecentSignIn recent,
            Mails mails,
            Clock clock) {
        this.database = database;
        this.changes = new CodedChange(database, clock);
        this.factors = factors;
        this.passkeys = passkeys;
        this.sessions = sessions;
        this.enrolment = enrolment;
        this.recent = recent;
        this.mails = mails;
        this.clock = clock;
    }

    /** {@code GET /v1/auth/mfa/status}: whether the signed-in user has a second factor. */
    public Future<Reply> status(ApiRequest request) {
        var user = request.user().user();
        return factors.status(database.reads(), user.projectId(), user.id()).map(Reply::ok);
    }

    /**
     * {@code POST /v1/auth/mfa/totp/setup}: a secret for the user's authenticator app, which a code has to confirm. The
     * user is signed in, or must set up a factor to sign in and has the token for that.
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

    /** What {@link #setUpTotp} does for a person who is signed in on a page. */
    public Future<Setup> setUpTotpOnAccountPage(ApiRequest request) {
        request.project().factors().requireTotp();
        return setUp(request.user());
    }

    private Future<Setup> setUp(SignedIn caller) {
        recent.require(caller);
        var project = caller.project();
        return database.inTransaction(transaction -> active.lockAccount(
                        transaction,
                        project.id(),
                        caller.token().session(),
                        caller.user().id(),
                        clock.instant())
                .compose(account -> account.user().email() == null
                        ? Future.failedFuture(emailRequired())
                        : factors.setUp(transaction, project, account.user())));
    }

    /**
     * Somebody who has copied a session could keep the owner out for good. A sign in that asks for a factor proves
     * more.
     */
    private static ApiException emailRequired() {
        return ApiException.of(
                ErrorCode.EMAIL_REQUIRED,
                "This account has no email, so nobody could be told of a second factor and undo it."
                        + " Add an email first.");
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

    /** Does the same as {@link #verifyTotpSetup} for a sign in on the hosted page, which hands out no tokens. */
    public Future<SignInResult> verifyTotpSetupOnPage(ApiRequest request) {
        request.project().factors().requireTotp();
        return enrolment.open(confirmation(request)).map(CodedSignIn.Opened::session);
    }

    private CodedSignIn.Request confirmation(ApiRequest request) {
        var body = request.bodyOrEmpty();
        var token = mfaToken(body);
        return new CodedSignIn.Request(
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
                caller.token().session(),
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
                                Noticed.FACTOR_SET_UP,
                                user,
                                Factors.TOTP,
                                mails.changes().to(caller.project(), user, Notice.of(now, device), language)))
                        .map(recorded -> Reply.success()));
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
                Noticed.BACKUP_CODES_REGENERATED,
                Map.of(),
                account -> {},
                (transaction, user) -> factors.replaceBackupCodes(transaction, user)
                        .map(codes -> Reply.ok(new NewBackupCodes(codes))));
    }

    /**
     * {@code POST /v1/auth/mfa/disable}: with a code, turns the factor off: the password alone opens sessions again.
     */
    public Future<Reply> disable(ApiRequest request) {
        return changeWithCode(
                request,
                Noticed.FACTOR_DISABLED,
                Factors.TOTP,
                account -> requireAnother(request.project(), account),
                (transaction, user) ->
                        factors.remove(transaction, user, Remover.USER).map(removed -> Reply.success()));
    }

    /** Takes a code of any factor, makes the change that it allows, and records it. */
    private Future<Reply> changeWithCode(
            ApiRequest request,
            Noticed fact,
            Map<String, ?> details,
            Consumer<Account> requirement,
            BiFunction<SqlConnection, User, Future<Reply>> change) {
        var caller = request.user();
        recent.requireWithCode(caller);
        var code = request.fields(fields -> fields.required("code", FactorCode::parse));
        var trail = request.trail();
        var device = request.device();
        var language = request.language();
        return changes.run(
                caller.user(),
                caller.token().session(),
                trail,
                (transaction, account) -> {
                    requirement.accept(account);
                    return factors.check(transaction, account.user(), code, device)
                            .map(Factors.Verdict::isRight);
                },
                (transaction, user) -> change.apply(transaction, user)
                        .compose(reply -> trail.record(
                                        transaction,
                                        fact,
                                        user,
                                        details,
                                        mails.outbox().to(user, Notice.of(clock.instant(), device), language))
                                .map(reply)));
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
        return database.inTransaction(transaction -> users.lockExisting(transaction, project, user)
                        .map(Account::user)
                        .compose(found -> reset(trail, transaction, found, language)))
                .map(done -> Reply.success());
    }

    private Future<Void> reset(Trail trail, SqlConnection transaction, User user, Language language) {
        var notifier = mails.outbox().to(user, Notice.of(clock.instant(), Device.UNKNOWN), language);
        var each = new ArrayList<Map<String, String>>();
        return factors.remove(transaction, user, Remover.MANAGEMENT)
                .compose(removed -> {
                    if (!removed) {
                        return Future.succeededFuture();
                    }
                    each.add(Factors.TOTP);
                    return notifier.tell(transaction, NoticeKind.FACTOR_REMOVED);
                })
                .compose(notified -> passkeys.removeSince(transaction, user, Instant.EPOCH))
                .compose(removed -> {
                    each.addAll(Collections.nCopies(removed, Passkeys.DETAILS));
                    return removed == 0
                            ? Future.succeededFuture()
                            : notifier.tell(transaction, NoticeKind.PASSKEY_REMOVED);
                })
                .compose(notified -> trail.record(transaction, Published.USER_FACTORS_RESET, user, Map.of(), each));
    }
}
