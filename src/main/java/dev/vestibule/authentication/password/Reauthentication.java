package dev.vestibule.authentication.password;

import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.audit.Target;
import dev.vestibule.authentication.password.CurrentPassword.Given;
import dev.vestibule.crypto.SubmittedPassword;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.project.Project;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.ActiveSessionStore.Authenticated;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionId;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.token.TokenResponse;
import dev.vestibule.user.User;
import dev.vestibule.user.UserErrors;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;

/** Proves by the password that the user of a session is still the same person, and says so in new tokens. */
public final class Reauthentication {
    /** The password is in canonical form. */
    public record Request(Project project, User user, SessionId session, Device device, SubmittedPassword password) {
        @Override
        public String toString() {
            return "Request[" + user.id() + "]";
        }
    }

    private final Database database;
    private final CurrentPassword currentPassword;
    private final ActiveSessionStore sessions;
    private final TokenIssuer tokens;
    private final Clock clock;

    public Reauthentication(
            Database database,
            CurrentPassword currentPassword,
            ActiveSessionStore sessions,
            TokenIssuer tokens,
            Clock clock) {
        this.database = database;
        this.currentPassword = currentPassword;
        this.sessions = sessions;
        this.tokens = tokens;
        this.clock = clock;
    }

    public Future<TokenResponse> run(AuditTrail trail, Request request) {
        var email = request.user().email();
        if (email == null) {
            throw noPassword();
        }
        var given = new Given(request.project().id(), request.user().id(), email, request.device(), request.password());
        return currentPassword
                .check(given)
                .map(stored -> stored.orElseThrow(Reauthentication::noPassword))
                .compose(checked -> renew(trail, request, checked));
    }

    private static ApiException noPassword() {
        return ApiException.conflict(
                "This account has no password. Sign in again with the provider: that is a recent sign in.");
    }

    private Future<TokenResponse> renew(AuditTrail trail, Request request, String checked) {
        var authentication = Authentication.by(Authentication.PASSWORD, clock.instant());
        return database.inTransaction(transaction -> sessions.authenticate(
                                transaction, request.user(), request.session(), checked, authentication)
                        .map(renewed -> renewed.orElseThrow(UserErrors::beingChanged))
                        .compose(renewed -> trail.record(
                                        transaction,
                                        AuditEvent.REAUTHENTICATED,
                                        Target.session(request.session().value()))
                                .map(renewed)))
                .compose(renewed -> issue(request, renewed));
    }

    /** With the refresh token that is valid now: the response fits clients that keep all that they get of a sign in. */
    private Future<TokenResponse> issue(Request request, Authenticated renewed) {
        var session = renewed.session();
        return tokens.issue(
                database.reads(),
                request.project(),
                renewed.variant(),
                request.session(),
                session.generation(),
                session.authentication(),
                session.user(),
                Duration.between(session.authentication().at(), session.expiresAt()));
    }
}
