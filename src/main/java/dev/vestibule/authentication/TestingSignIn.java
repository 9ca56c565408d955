package dev.vestibule.authentication;

import dev.vestibule.database.Database;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.token.TokenResponse;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.UserStore.ProviderUser;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Signs in the user with an email, without any proof, and creates the user if there is none. It is for the automatic
 * tests of an application; callers must make sure that the project is a test project.
 */
final class TestingSignIn {
    /** The email is in canonical form. */
    record Request(
            Project project,
            ApiVariant variant,
            String email,
            @Nullable String displayName,
            Device device) {
        @Override
        public String toString() {
            return "TestingSignIn.Request[" + project.id() + "]";
        }
    }

    private final Database database;
    private final UserStore users = new UserStore();
    private final SessionStore sessions;
    private final TokenIssuer tokens;
    private final Clock clock;

    TestingSignIn(Database database, SessionStore sessions, TokenIssuer tokens, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.tokens = tokens;
        this.clock = clock;
    }

    Future<TokenResponse> run(Request request) {
        return database.inTransaction(transaction ->
                        account(transaction, request).compose(account -> open(transaction, request, account)))
                .compose(opened -> tokens.open(database.reads(), request.project(), request.variant(), opened));
    }

    /** The later of two concurrent first sign ins finds the user that the other one created. */
    private Future<Account> account(SqlConnection transaction, Request request) {
        return existing(transaction, request)
                .compose(found -> found.isPresent()
                        ? Future.succeededFuture(found)
                        : create(transaction, request)
                                .compose(created -> created.isPresent()
                                        ? Future.succeededFuture(created)
                                        : existing(transaction, request)))
                .map(found -> found.orElseThrow(UserErrors::beingChanged));
    }

    private Future<Optional<Account>> existing(SqlConnection transaction, Request request) {
        var project = request.project().id();
        return users.idOf(transaction, project, request.email())
                .compose(id -> id.isPresent()
                        ? users.lock(transaction, project, id.get()).map(TestingSignIn::unlessBanned)
                        : Future.succeededFuture(Optional.empty()));
    }

    private static Optional<Account> unlessBanned(Optional<Account> found) {
        if (found.isPresent() && found.get().user().isBanned()) {
            throw UserErrors.banned();
        }
        return found;
    }

    /** The email stays unverified, since nobody has proved that they own it. */
    private Future<Optional<Account>> create(SqlConnection transaction, Request request) {
        var now = clock.instant();
        var user = new ProviderUser(UserId.next(), request.email(), false, request.displayName(), null, now);
        return users.insert(transaction, request.project().id(), user)
                .compose(inserted -> inserted.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : sessions.trail(request.project().id(), inserted.get().id(), request.device())
                                .record(transaction, Published.SIGNED_UP, inserted.get(), Map.of("amr", List.of()))
                                .map(recorded -> inserted.map(created -> new Account(created, null))));
    }

    /** The tokens name no method ({@code amr}), since none was used. */
    private Future<Completed> open(SqlConnection transaction, Request request, Account account) {
        var session = SessionId.next();
        var authentication = new Authentication(clock.instant(), List.of());
        var signIn = SignIn.withoutPassword(session, request.variant(), account, request.device(), authentication);
        return sessions.open(transaction, request.project(), signIn)
                .map(opened -> opened.orElseThrow(UserErrors::beingChanged))
                .map(opened -> new Completed(session, authentication, opened.user()));
    }
}
