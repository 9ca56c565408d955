package dev.vestibule.authentication.passkey;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestedUser;
import dev.vestibule.authentication.passkey.PasskeyNotifier.ChangeContext;
import dev.vestibule.authentication.passkey.PasskeyRegistration.Registrant;
import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.json.Fields;
import dev.vestibule.project.Project;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import java.util.Map;
import java.util.UUID;

/** The passkeys of the caller and of a user, and sign in with a passkey. */
public final class PasskeyHandler {
    private final Database database;
    private final PasskeyStore store = new PasskeyStore();
    private final PasskeyRegistration registration;
    private final PasskeySignIn signIn;
    private final PasskeyRemoval removal;
    private final TokenIssuer tokens;
    private final RecentSignIn recent;

    PasskeyHandler(
            Database database,
            PasskeyRegistration registration,
            PasskeySignIn signIn,
            PasskeyRemoval removal,
            TokenIssuer tokens,
            RecentSignIn recent) {
        this.database = database;
        this.registration = registration;
        this.signIn = signIn;
        this.removal = removal;
        this.tokens = tokens;
        this.recent = recent;
    }

    /** Some clients read them at the top level, and others below. */
    private record RegistrationOptions(
            @JsonUnwrapped PasskeyRegistration.Options whole, PasskeyRegistration.Options options) {}

    /** {@code POST /v1/auth/passkeys/register/options}: what an authenticator needs to create a passkey. */
    public Future<Reply> beginRegistration(ApiRequest request) {
        var caller = request.user();
        var name = Fields.read(request.bodyOrEmpty(), fields -> fields.optional("name", PasskeyFields::name));
        var registrant =
                new Registrant(caller.project(), caller.user(), caller.token().session());
        RelyingParty.of(caller.project());
        recent.require(caller);
        return registration.begin(registrant, name).map(options -> Reply.ok(new RegistrationOptions(options, options)));
    }

    /** {@code POST /v1/auth/passkeys/register/verify}: from now on the new passkey opens sessions. */
    public Future<Reply> finishRegistration(ApiRequest request) {
        var caller = request.user();
        RelyingParty.of(caller.project());
        recent.require(caller);
        var created = request.fields(PasskeyFields::created);
        var registrant =
                new Registrant(caller.project(), caller.user(), caller.token().session());
        return registration.finish(registrant, created, changeContext(request)).map(Reply::ok);
    }

    /** Whether a page of this origin can ask for the passkeys of the project. */
    public boolean isOfferedTo(Project project, String origin) {
        return RelyingParty.mayAsk(project, origin);
    }

    /** Some clients read them at the top level, and others below. */
    private record SignInOptions(@JsonUnwrapped PasskeySignIn.Options whole, PasskeySignIn.Options options) {}

    /**
     * {@code POST /v1/auth/passkeys/authenticate/options}: a challenge for an email's passkeys, or any of the project.
     */
    public Future<Reply> beginSignIn(ApiRequest request) {
        var email = Fields.read(request.bodyOrEmpty(), fields -> fields.optional("email", UserFields::email));
        return signIn.begin(request.project(), email).map(options -> Reply.ok(new SignInOptions(options, options)));
    }

    /**
     * {@code POST /v1/auth/passkeys/authenticate/verify}: opens a session with a challenge that a passkey has signed.
     */
    public Future<Reply> finishSignIn(ApiRequest request) {
        return signIn.open(signed(request), request.variant())
                .compose(opened -> tokens.open(database.reads(), request.project(), request.variant(), opened))
                .map(Reply::ok);
    }

    /** Does the same as {@link #finishSignIn} for the hosted page, which hands out no tokens. */
    public Future<SignInResult> finishSignInOnPage(ApiRequest request) {
        return signIn.open(signed(request), request.variant()).map(opened -> opened);
    }

    private PasskeySignIn.Request signed(ApiRequest request) {
        RelyingParty.of(request.project());
        return request.fields(fields -> signed(request, fields));
    }

    private PasskeySignIn.Request signed(ApiRequest request, Fields fields) {
        return new PasskeySignIn.Request(
                request.project(),
                PasskeyFields.signed(fields),
                PasskeyFields.userHandle(fields),
                changeContext(request));
    }

    /** The passkeys of the caller or, in the management API, of a user, even where passkeys are switched off. */
    public Future<Reply> list(ApiRequest request) {
        request.userIfAny().ifPresent(caller -> RelyingParty.requireEnabled(caller.project()));
        return RequestedUser.of(request)
                .find(database)
                .compose(user ->
                        store.listForUser(database.reads(), user.project().id(), user.id()))
                .map(Reply::ok);
    }

    /** {@code PATCH /v1/auth/passkeys/:passkeyId}: renames one of the user's passkeys. */
    public Future<Reply> rename(ApiRequest request) {
        var caller = request.user();
        RelyingParty.requireEnabled(caller.project());
        var passkey = passkey(request);
        var name = request.fields(fields -> fields.required("name", PasskeyFields::name));
        var user = caller.user().id();
        var trail = request.trail();
        return database.inTransaction(transaction -> store.rename(
                                transaction, caller.project().id(), user, passkey, name)
                        .map(found -> found.orElseThrow(PasskeyErrors::unknown))
                        .compose(renamed -> trail.record(
                                        transaction,
                                        Logged.PASSKEY_RENAMED,
                                        Target.user(user.value()),
                                        Map.of("passkeyId", passkey))
                                .map(renamed)))
                .map(Reply::ok);
    }

    /** {@code DELETE /v1/auth/passkeys/:passkeyId}: from now on it opens no session; open sessions stay. */
    public Future<Reply> delete(ApiRequest request) {
        var caller = request.user();
        RelyingParty.requireEnabled(caller.project());
        recent.require(caller);
        var context = changeContext(request);
        return removal.byOwner(
                        caller.project(), caller.user().id(), caller.token().session(), passkey(request), context)
                .map(removed -> Reply.success());
    }

    /**
     * {@code DELETE …/users/:userId/passkeys/:passkeyId} in the management API: can remove even the last sign-in
     * method, since management can set up another.
     */
    public Future<Reply> deleteForUser(ApiRequest request) {
        var project = request.project();
        var context = new ChangeContext(request.trail(), request.device(), project.language(null));
        return removal.byManagement(project, user(request), passkey(request), context)
                .map(removed -> Reply.success());
    }

    private ChangeContext changeContext(ApiRequest request) {
        return new ChangeContext(request.trail(), request.device(), request.language());
    }

    private static UserId user(ApiRequest request) {
        return new UserId(request.pathId("userId"));
    }

    private static UUID passkey(ApiRequest request) {
        return request.pathId("passkeyId");
    }
}
