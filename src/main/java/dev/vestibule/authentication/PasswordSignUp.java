package dev.vestibule.authentication;

import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.database.Database;
import dev.vestibule.event.EventKind;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.SignInResponse;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.VerificationRequired;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.User;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserEvents;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.UserStore.NewUser;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes an account with email and password, its first session (unless the email has to be proven first) and the wish
 * for a mail with a code, in one transaction.
 */
public final class PasswordSignUp {
    /** Who signs up, and from where; the fields in canonical form. */
    public record Applicant(
            Project project,
            ApiVariant variant,
            String email,
            String password,
            @Nullable String displayName,
            Language language,
            Device device) {
        @Override
        public String toString() {
            return "Applicant[" + project.id() + "]";
        }
    }

    private final Database database;
    private final UserStore users;
    private final SessionStore sessions;
    private final EventOutbox events;
    private final PasswordHasher hasher;
    private final TokenIssuer tokens;
    private final MailOutbox outbox;
    private final Clock clock;

    PasswordSignUp(
            Database database,
            UserStore users,
            SessionStore sessions,
            EventOutbox events,
            PasswordHasher hasher,
            TokenIssuer tokens,
            MailOutbox outbox,
            Clock clock) {
        this.database = database;
        this.users = users;
        this.sessions = sessions;
        this.events = events;
        this.hasher = hasher;
        this.tokens = tokens;
        this.outbox = outbox;
        this.clock = clock;
    }

    public Future<SignInResponse> run(Applicant applicant) {
        return run(applicant, transaction -> Future.succeededFuture());
    }

    /** The condition runs first in the transaction that writes: where it fails, nothing is written. */
    public Future<SignInResponse> run(Applicant applicant, Function<SqlClient, Future<Void>> condition) {
        var session = SessionId.next();
        return refuseTakenEmail(applicant)
                .compose(free -> hasher.hash(applicant.password()))
                .compose(hash -> database.inTransaction(transaction ->
                        condition.apply(transaction).compose(allowed -> write(transaction, applicant, hash, session))))
                .onSuccess(written -> outbox.wakeUpAfterSignUp(applicant.project()))
                .map(user -> result(applicant, session, user))
                .compose(result -> tokens.respond(database.reads(), applicant.project(), applicant.variant(), result));
    }

    private static SignInResult result(Applicant applicant, SessionId session, User user) {
        return applicant.project().requireEmailVerification()
                ? VerificationRequired.of(applicant.email())
                : new Completed(session, user);
    }

    /** Before the hash, so that a taken email costs none; the insert below decides. */
    private Future<Void> refuseTakenEmail(Applicant applicant) {
        return users.emailIsTaken(database.reads(), applicant.project().id(), applicant.email())
                .compose(taken -> taken ? Future.failedFuture(UserErrors.emailTaken()) : Future.succeededFuture());
    }

    private Future<User> write(SqlConnection transaction, Applicant applicant, String hash, SessionId session) {
        var project = applicant.project();
        var now = clock.instant();
        var newUser = new NewUser(UserId.next(), applicant.email(), applicant.displayName(), hash, now);
        return users.insert(transaction, project.id(), newUser)
                .map(inserted -> inserted.orElseThrow(UserErrors::emailTaken))
                .compose(user -> outbox.requestFirstVerification(
                                transaction, project, applicant.email(), applicant.language())
                        .compose(asked -> project.requireEmailVerification()
                                ? events.record(transaction, UserEvents.of(EventKind.USER_CREATED, user, now))
                                : sessions.openFirst(transaction, project, session, user, applicant.device(), now))
                        .map(user));
    }
}
