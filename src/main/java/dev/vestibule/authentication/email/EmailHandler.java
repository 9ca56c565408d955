package dev.vestibule.authentication.email;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.email.EmailChange.Person;
import dev.vestibule.authentication.email.EmailChange.UndoContext;
import dev.vestibule.authentication.email.EmailVerification.VerificationRequest;
import dev.vestibule.authentication.password.OwnerProof;
import dev.vestibule.authentication.password.OwnerProof.Proved;
import dev.vestibule.crypto.SubmittedPassword;
import dev.vestibule.database.Database;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.session.Device;
import dev.vestibule.token.SignInResult;
import dev.vestibule.user.User;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Verifies, changes and restores the email of an account. */
public final class EmailHandler {
    private static final int MAX_TOKEN = 200;

    private final Database database;
    private final MailOutbox outbox;
    private final EmailVerification verification;
    private final EmailChange change;
    private final OwnerProof proof;
    private final RecentSignIn recent;
    private final DeviceReader devices;
    private final Auditor audit;

    public EmailHandler(
            Database database,
            MailOutbox outbox,
            EmailVerification verification,
            EmailChange change,
            OwnerProof proof,
            RecentSignIn recent,
            DeviceReader devices,
            Auditor audit) {
        this.database = database;
        this.outbox = outbox;
        this.verification = verification;
        this.change = change;
        this.proof = proof;
        this.recent = recent;
        this.devices = devices;
        this.audit = audit;
    }

    /** {@code POST /v1/auth/verify-email}: verifies an email by a mailed code and opens a session. */
    public Future<Reply> verify(RoutingContext ctx) {
        var trail = audit.of(ctx);
        return verification.run(trail, verificationRequest(ctx)).map(Reply::ok);
    }

    /** What {@link #verify} does, on the hosted page, which hands out no tokens. */
    public Future<SignInResult> verifyOnPage(RoutingContext ctx) {
        var trail = audit.of(ctx);
        return verification.open(trail, verificationRequest(ctx));
    }

    private VerificationRequest verificationRequest(RoutingContext ctx) {
        return Fields.read(Body.of(ctx), fields -> verificationRequest(ctx, fields));
    }

    private VerificationRequest verificationRequest(RoutingContext ctx, Fields fields) {
        return new VerificationRequest(
                Caller.project(ctx),
                Caller.variant(ctx),
                fields.required("email", UserFields::email),
                fields.required("code", EmailCodes::parseVerificationCode),
                RequestLanguage.of(ctx),
                devices.read(ctx),
                devices.network(ctx));
    }

    /** {@code POST /v1/auth/resend-code}: mails a new code, if the email has an account that is not verified yet. */
    public Future<Reply> resendCode(RoutingContext ctx) {
        var email = Fields.read(Body.of(ctx), fields -> fields.required("email", UserFields::email));
        return outbox.request(
                        database.writes(),
                        Caller.project(ctx),
                        CodePurpose.VERIFICATION,
                        email,
                        RequestLanguage.of(ctx),
                        devices.read(ctx))
                .onSuccess(asked -> outbox.wakeUp())
                .map(asked -> Reply.ok(Map.of("sent", true)));
    }

    private record ChangeRequest(String email, @Nullable SubmittedPassword password) {
        static ChangeRequest of(Fields fields, User user) {
            var email = fields.required("email", UserFields::email);
            if (email != null && email.equals(user.email())) { // null after a violation
                fields.reject("email", "must not be the current email");
            }
            return new ChangeRequest(email, fields.optional("currentPassword", UserFields::submittedPassword));
        }

        @Override
        public String toString() {
            return "ChangeRequest";
        }
    }

    /** {@code POST /v1/auth/me/email}: mails a code to the user's new address. */
    public Future<Reply> requestChange(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        recent.require(caller);
        var request = Fields.read(Body.of(ctx), fields -> ChangeRequest.of(fields, caller.user()));
        var device = devices.read(ctx);
        var person = person(ctx, caller, device);
        return proof.check(caller.project(), caller.user(), device, request.password())
                .compose(proved -> requestChange(person, request, proved, caller))
                .map(requested -> Reply.ok(Map.of("sent", true)));
    }

    private Future<Void> requestChange(Person person, ChangeRequest request, Proved proved, SignedIn caller) {
        return change.request(
                person,
                request.email(),
                account -> proved.requireFor(account, () -> recent.requireInsteadOfPassword(caller)));
    }

    /** {@code POST /v1/auth/me/email/verify}: changes the email with the code that was mailed to the new one. */
    public Future<Reply> verifyChange(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        var code = Fields.read(Body.of(ctx), fields -> fields.required("code", EmailCodes::parseVerificationCode));
        var person = person(ctx, caller, devices.read(ctx));
        return change.verify(person, code, devices.network(ctx)).map(Reply::ok);
    }

    private Person person(RoutingContext ctx, SignedIn caller, Device device) {
        return new Person(
                caller.project(),
                caller.user(),
                caller.token().session(),
                device,
                RequestLanguage.of(ctx),
                audit.of(ctx));
    }

    /**
     * {@code POST /v1/auth/email/undo}: undoes a change of the email, or a new factor, with the token that was mailed
     * to the email that the account had then.
     */
    public Future<Reply> undoChange(RoutingContext ctx) {
        var token = Fields.read(Body.of(ctx), fields -> fields.required("token", text -> Text.line(text, MAX_TOKEN)));
        var undoer = new UndoContext(audit.of(ctx), devices.read(ctx), RequestLanguage.of(ctx));
        return change.undo(Caller.project(ctx), token, undoer).map(undone -> Reply.success());
    }
}
