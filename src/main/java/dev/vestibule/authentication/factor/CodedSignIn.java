package dev.vestibule.authentication.factor;

import dev.vestibule.database.Database;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Device;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.token.TokenResponse;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.Optional;

/** The second half of a sign in that a code completes: in one transaction, under the lock of the user's row. */
public final class CodedSignIn {
    /** The token comes from the first half. */
    public record Request(
            Project project, String token, FactorCode code, Language language, Device device, Trail trail) {
        @Override
        public String toString() {
            return "CodedSignIn.Request[" + project.id() + "]";
        }
    }

    /** The variant of the API comes from the first half. */
    public record Opened(ApiVariant variant, Completed session) {}

    /** Checks the code and opens the session; empty for a wrong code, whose count of tries must be committed. */
    public interface Try {
        Future<Optional<Opened>> make(SqlConnection transaction, Account account, MfaChallenge challenge);
    }

    private final Database database;
    private final UserStore users = new UserStore();
    private final MfaChallenges challenges;
    private final TokenIssuer tokens;

    public CodedSignIn(Database database, MfaChallenges challenges, TokenIssuer tokens) {
        this.database = database;
        this.challenges = challenges;
        this.tokens = tokens;
    }

    /** A 401 for a wrong code. */
    public Future<Opened> open(Request request, UserId user, Try once) {
        return database.inTransaction(transaction -> lock(transaction, request.project(), user)
                        .compose(account -> challenges
                                .countTry(transaction, request.project().id(), request.token())
                                .compose(challenge -> once.make(transaction, account, challenge))))
                .map(opened -> opened.orElseThrow(() -> {
                    request.trail()
                            .enqueueRefusedSignIn(Logged.FACTOR_FAILED, Target.user(user.value()), Factors.WRONG_CODE);
                    return Factors.wrongCode();
                }));
    }

    Future<Account> lock(SqlConnection transaction, Project project, UserId user) {
        return users.lock(transaction, project.id(), user).map(found -> found.orElseThrow(MfaChallenges::expired));
    }

    /** The tokens for the session. */
    public Future<TokenResponse> tokens(Request request, Opened opened) {
        return tokens.open(database.reads(), request.project(), opened.variant(), opened.session());
    }
}
