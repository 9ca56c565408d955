package dev.vestibule.authentication;

import dev.vestibule.authentication.factor.EnrolmentStarts;
import dev.vestibule.authentication.factor.MfaChallenges;
import dev.vestibule.database.Database;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.SignInResponse;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.VerificationRequired;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.Account;
import dev.vestibule.user.DisposableEmails;
import dev.vestibule.user.User;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.UserStore.NewUser;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates a user with email and password, the first session (unless the project requires a verified email) and the
 * request for a welcome mail, in one transaction.
 */
public final class PasswordSignUp {
    /** The fields are in canonical form. */
    public record SignUpRequest(
            Project project,
            ApiVariant variant,
            String email,
            String password,
            @Nullable String displayName,
            Language language,
            Device device) {
        @Override
        public String toString() {
            return "SignUpRequest[" + project.id() + "]";
        }
    }

    /** A condition of a sign up, and further changes in its transaction. */
    public interface Admission {
        /** If it fails, nothing is written. */
        default Future<Void> check(SqlConnection transaction) {
            return Future.succeededFuture();
        }

        /** Returns the user after its own changes. */
        default Future<User> complete(SqlConnection transaction, User created) {
            return Future.succeededFuture(created);
        }
    }

    private static final Admission FREE = new Admission() {};

    private final Database database;
    private final UserStore users = new UserStore();
    private final SessionStore sessions;
    private final NewPasswords passwords;
    private final TokenIssuer tokens;
    private final MailOutbox outbox;
    private final EnrolmentStarts starts;
    private final DisposableEmails disposable;
    private final Clock clock;

    PasswordSignUp(
            Database database,
            SessionStore sessions,
            EnrolmentStarts starts,
            NewPasswords passwords,
            TokenIssuer tokens,
            MailOutbox outbox,
            DisposableEmails disposable,
            Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.passwords = passwords;
        this.tokens = tokens;
        this.outbox = outbox;
        this.starts = starts;
        this.disposable = disposable;
        this.clock = clock;
    }

    public Future<SignInResponse> run(SignUpRequest request) {
        return run(request, FREE);
    }

    /** If the admission fails, nothing is written. */
    public Future<SignInResponse> run(SignUpRequest request, Admission admission) {
        return open(request, admission)
                .compose(result -> tokens.respond(database.reads(), request.project(), request.variant(), result));
    }

    /** Like {@link #run}, without tokens for the session. */
    Future<SignInResult> open(SignUpRequest request) {
        return open(request, FREE);
    }

    private Future<SignInResult> open(SignUpRequest request, Admission admission) {
        var session = SessionId.next();
        return refuseTakenEmail(request)
                .compose(free -> passwords.hash(request.project().id(), "password", request.password()))
                .compose(hash -> outbox.takeFirstVerification(database.writes(), request.project(), request.device())
                        .compose(isMailed -> database.inTransaction(transaction -> admission
                                .check(transaction)
                                .compose(allowed -> write(transaction, request, admission, hash, session, isMailed)))))
                .onSuccess(written -> outbox.wakeUpAfterSignUp(request.project()))
                .map(user -> result(request, session, user));
    }

    private static SignInResult result(SignUpRequest request, SessionId session, User user) {
        return mustVerify(request.project(), user)
                ? VerificationRequired.of(request.email())
                : new Completed(session, Authentication.by(Authentication.PASSWORD, user.createdAt()), user);
    }

    /**
     * Also if the time to set up a second factor ran out in an earlier account: setting one up needs a proved email.
     */
    private static boolean mustVerify(Project project, User created) {
        return project.requireEmailVerification()
                || MfaChallenges.mustVerifyFirst(project, new Account(created, null), created.createdAt());
    }

    /**
     * Saves the cost of a hash for a taken email. The insert below decides. Also refuses one whose domain requires its
     * organization's connection, whether or not it is taken.
     */
    private Future<Void> refuseTakenEmail(SignUpRequest request) {
        return sessions.connections()
                .requireAllowed(database.reads(), request.project().id(), request.email(), null)
                .compose(allowed ->
                        users.emailIsTaken(database.reads(), request.project().id(), request.email()))
                .compose(taken -> taken ? Future.failedFuture(UserErrors.emailTaken()) : Future.succeededFuture());
    }

    private Future<User> write(
            SqlConnection transaction,
            SignUpRequest request,
            Admission admission,
            String hash,
            SessionId session,
            boolean isMailed) {
        var project = request.project();
        var now = clock.instant();
        var newUser = new NewUser(UserId.next(), request.email(), request.displayName(), hash, now);
        return users.insert(transaction, project.id(), newUser)
                .map(inserted -> inserted.orElseThrow(UserErrors::emailTaken))
                .compose(created -> starts.resume(transaction, project, created, List.of()))
                .compose(created -> admission.complete(transaction, created))
                .compose(user -> (user.emailVerified() || !isMailed
                                ? Future.<Void>succeededFuture()
                                : outbox.requestFirstVerification(
                                        transaction, project, request.email(), request.language()))
                        .compose(asked -> mustVerify(project, user)
                                ? trail(request, user)
                                        .record(
                                                transaction,
                                                Published.SIGNED_UP,
                                                user,
                                                Map.of("amr", List.of(Authentication.PASSWORD)))
                                : sessions.openFirst(
                                        transaction, project, request.variant(), session, user, request.device(), now))
                        .compose(recorded -> disposable.flag(transaction, project, trail(request, user), user))
                        .map(user));
    }

    private Trail trail(SignUpRequest request, User created) {
        return sessions.trail(created.projectId(), created.id(), request.device());
    }
}
