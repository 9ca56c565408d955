package dev.vestibule.authentication.factor;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.Caller;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.factor.Factors.Setup;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code POST /v1/auth/mfa/totp/setup}: a secret for the user's authenticator app, which a code has to confirm. For a user who
 * is signed in, or who must set it up to sign in and has the token of that.
 */
public final class SetUpTotpHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final Factors factors;
    private final EnrolmentSignIn enrolment;
    private final RecentSignIn recent;

    SetUpTotpHandler(
            Database database, UserStore users, Factors factors, EnrolmentSignIn enrolment, RecentSignIn recent) {
        this.database = database;
        this.users = users;
        this.factors = factors;
        this.enrolment = enrolment;
        this.recent = recent;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        project.factors().requireTotp();
        var caller = Caller.userIfAny(ctx);
        var setup = caller.isPresent() ? setUp(caller.get()) : enrolment.setUp(project, mfaToken(body(ctx)));
        return setup.map(Reply::ok);
    }

    private Future<Setup> setUp(SignedIn caller) {
        recent.require(caller);
        var project = caller.project();
        return database.inTransaction(transaction -> users.lock(
                        transaction, project.id(), caller.user().id())
                .map(found -> found.orElseThrow(UserErrors::beingChanged))
                .compose(account -> factors.setUp(transaction, project, account.user())));
    }

    /** Empty where there is none. */
    static ObjectNode body(RoutingContext ctx) {
        return Body.find(ctx).isPresent() ? Body.of(ctx) : JsonNodeFactory.instance.objectNode();
    }

    /** A 401 where there is none: then the access token is what is missing. */
    static String mfaToken(ObjectNode body) {
        var token = Fields.read(body, fields -> fields.optional("mfaToken", FieldType.token()));
        if (token == null) {
            throw ApiException.unauthorized(
                    "This endpoint needs a user's access token, as Authorization: Bearer, or an mfaToken.");
        }
        return token;
    }
}
