package dev.vestibule.authentication.passkey;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.authentication.passkey.PasskeyNotifier.ChangeContext;
import dev.vestibule.authentication.passkey.PasskeyRegistration.Registrant;
import dev.vestibule.database.Database;
import dev.vestibule.http.Body;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.Project;
import dev.vestibule.token.SignInResult;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.UUID;

/** The passkeys of the caller and of a user, and sign in with a passkey. */
public final class PasskeyHandler {
    private final Database database;
    private final UserStore users = new UserStore();
    private final PasskeyStore store = new PasskeyStore();
    private final PasskeyRegistration registration;
    private final PasskeySignIn signIn;
    private final PasskeyRemoval removal;
    private final RecentSignIn recent;
    private final Auditor audit;
    private final DeviceReader devices;

    PasskeyHandler(
            Database database,
            PasskeyRegistration registration,
            PasskeySignIn signIn,
            PasskeyRemoval removal,
            RecentSignIn recent,
            Auditor audit,
            DeviceReader devices) {
        this.database = database;
        this.registration = registration;
        this.signIn = signIn;
        this.removal = removal;
        this.recent = recent;
        this.audit = audit;
        this.devices = devices;
    }

    /** Some clients read them at the top level, and others below. */
    private record RegistrationOptions(
            @JsonUnwrapped PasskeyRegistration.Options whole, PasskeyRegistration.Options options) {}

    /** {@code POST /v1/auth/passkeys/register/options}: what an authenticator needs to create a passkey. */
    public Future<Reply> beginRegistration(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        var name = Fields.read(Body.orEmpty(ctx), fields -> fields.optional("name", PasskeyFields::name));
        var registrant =
                new Registrant(caller.project(), caller.user(), caller.token().session());
        RelyingParty.of(caller.project());
        recent.require(caller);
        return registration.begin(registrant, name).map(options -> Reply.ok(new RegistrationOptions(options, options)));
    }

    /** {@code POST /v1/auth/passkeys/register/verify}: from now on the new passkey opens sessions. */
    public Future<Reply> finishRegistration(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        RelyingParty.of(caller.project());
        recent.require(caller);
        var created = Fields.read(Body.of(ctx), PasskeyFields::created);
        var registrant =
                new Registrant(caller.project(), caller.user(), caller.token().session());
        return registration.finish(registrant, created, changeContext(ctx)).map(Reply::ok);
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
    public Future<Reply> beginSignIn(RoutingContext ctx) {
        var email = Fields.read(Body.orEmpty(ctx), fields -> fields.optional("email", UserFields::email));
        return signIn.begin(Caller.project(ctx), email).map(options -> Reply.ok(new SignInOptions(options, options)));
    }

    /**
     * {@code POST /v1/auth/passkeys/authenticate/verify}: opens a session with a challenge that a passkey has signed.
     */
    public Future<Reply> finishSignIn(RoutingContext ctx) {
        return signIn.finish(signed(ctx), Caller.variant(ctx)).map(Reply::ok);
    }

    /** What {@link #finishSignIn} does, on the hosted page, which hands out no tokens. */
    public Future<SignInResult> finishSignInOnPage(RoutingContext ctx) {
        return signIn.open(signed(ctx), Caller.variant(ctx)).map(opened -> opened);
    }

    private PasskeySignIn.Request signed(RoutingContext ctx) {
        RelyingParty.of(Caller.project(ctx));
        return Fields.read(Body.of(ctx), fields -> signed(ctx, fields));
    }

    private PasskeySignIn.Request signed(RoutingContext ctx, Fields fields) {
        return new PasskeySignIn.Request(
                Caller.project(ctx),
                PasskeyFields.signed(fields),
                PasskeyFields.userHandle(fields),
                changeContext(ctx));
    }

    /** {@code GET /v1/auth/passkeys}: the signed-in user's own. */
    public Future<Reply> list(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        RelyingParty.requireEnabled(caller.project());
        return store.listForUser(
                        database.reads(), caller.project().id(), caller.user().id())
                .map(Reply::ok);
    }

    /**
     * {@code GET …/users/:userId/passkeys} in the management API: the passkeys of one user, for the application's
     * servers and for members.
     */
    public Future<Reply> listForUser(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = user(ctx);
        return users.find(database.reads(), project, user)
                .map(found -> found.orElseThrow(UserErrors::notFound))
                .compose(found -> store.listForUser(database.reads(), project, user))
                .map(Reply::ok);
    }

    /** {@code PATCH /v1/auth/passkeys/:passkeyId}: renames one of the user's passkeys. */
    public Future<Reply> rename(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        RelyingParty.requireEnabled(caller.project());
        var passkey = passkey(ctx);
        var name = Fields.read(Body.of(ctx), fields -> fields.required("name", PasskeyFields::name));
        var user = caller.user().id();
        var trail = audit.of(ctx);
        return database.inTransaction(transaction -> store.rename(
                                transaction, caller.project().id(), user, passkey, name)
                        .map(found -> found.orElseThrow(PasskeyErrors::unknown))
                        .compose(renamed -> trail.record(
                                        transaction,
                                        AuditEvent.PASSKEY_RENAMED,
                                        Target.user(user.value()),
                                        Map.of("passkeyId", passkey))
                                .map(renamed)))
                .map(Reply::ok);
    }

    /** {@code DELETE /v1/auth/passkeys/:passkeyId}: from now on it opens no session; open sessions stay. */
    public Future<Reply> delete(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        RelyingParty.requireEnabled(caller.project());
        recent.require(caller);
        var context = changeContext(ctx);
        return removal.byOwner(caller.project(), caller.user().id(), passkey(ctx), context)
                .map(removed -> Reply.success());
    }

    /**
     * {@code DELETE …/users/:userId/passkeys/:passkeyId} in the management API: can remove even the last sign-in
     * method, since management can set up another.
     */
    public Future<Reply> deleteForUser(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var context = new ChangeContext(audit.of(ctx), devices.read(ctx), project.language(null));
        return removal.byManagement(project, user(ctx), passkey(ctx), context).map(removed -> Reply.success());
    }

    private ChangeContext changeContext(RoutingContext ctx) {
        return new ChangeContext(audit.of(ctx), devices.read(ctx), RequestLanguage.of(ctx));
    }

    private static UserId user(RoutingContext ctx) {
        return new UserId(PathId.of(ctx, "userId"));
    }

    private static UUID passkey(RoutingContext ctx) {
        return PathId.of(ctx, "passkeyId");
    }
}
