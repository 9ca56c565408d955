package dev.vestibule.authentication.email;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.email.EmailChange.Person;
import dev.vestibule.authentication.email.EmailChange.UndoContext;
import dev.vestibule.authentication.email.EmailVerification.VerificationRequest;
import dev.vestibule.authentication.password.OwnerProof;
import dev.vestibule.authentication.password.OwnerProof.Proved;
import dev.vestibule.crypto.SubmittedPassword;
import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.session.Device;
import dev.vestibule.token.SignInResult;
import dev.vestibule.user.DisposableEmails;
import dev.vestibule.user.User;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
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
    private final DisposableEmails disposable;
    private final RecentSignIn recent;

    public EmailHandler(
            Database database,
            MailOutbox outbox,
            EmailVerification verification,
            EmailChange change,
            OwnerProof proof,
            DisposableEmails disposable,
            RecentSignIn recent) {
        this.database = database;
        this.outbox = outbox;
        this.verification = verification;
        this.change = change;
        this.proof = proof;
        this.disposable = disposable;
        this.recent = recent;
    }

    /** {@code POST /v1/auth/verify-email}: verifies an email by a mailed code and opens a session. */
    public Future<Reply> verify(ApiRequest request) {
        var trail = request.trail();
        return verification.run(trail, verificationRequest(request)).map(Reply::ok);
    }

    /** Does the same as {@link #verify} for the hosted page, which hands out no tokens. */
    public Future<SignInResult> verifyOnPage(ApiRequest request) {
        var trail = request.trail();
        return verification.open(trail, verificationRequest(request));
    }

    private VerificationRequest verificationRequest(ApiRequest request) {
        return request.fields(fields -> verificationRequest(request, fields));
    }

    private VerificationRequest verificationRequest(ApiRequest request, Fields fields) {
        return new VerificationRequest(
                request.project(),
                request.variant(),
                fields.required("email", UserFields::email),
                fields.required("code", EmailCodes::parseVerificationCode),
                request.language(),
                request.device(),
                request.network());
    }

    /** {@code POST /v1/auth/resend-code}: mails a new code, if the email has an account that is not verified yet. */
    public Future<Reply> resendCode(ApiRequest request) {
        var email = request.fields(fields -> fields.required("email", UserFields::email));
        return outbox.request(
                        database.writes(),
                        request.project(),
                        CodePurpose.VERIFICATION,
                        email,
                        request.language(),
                        request.device())
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
    public Future<Reply> requestChange(ApiRequest request) {
        var caller = request.user();
        recent.require(caller);
        var input = request.fields(fields -> ChangeRequest.of(fields, caller.user()));
        disposable.requireLasting(caller.project(), input.email());
        var device = request.device();
        var person = person(request, caller, device);
        return proof.check(caller.project(), caller.user(), device, input.password())
                .compose(proved -> requestChange(person, input, proved, caller))
                .map(requested -> Reply.ok(Map.of("sent", true)));
    }

    private Future<Void> requestChange(Person person, ChangeRequest input, Proved proved, SignedIn caller) {
        return change.request(
                person,
                input.email(),
                account -> proved.requireFor(account, () -> recent.requireInsteadOfPassword(caller)));
    }

    /** {@code POST /v1/auth/me/email/verify}: changes the email with the code that was mailed to the new one. */
    public Future<Reply> verifyChange(ApiRequest request) {
        var caller = request.user();
        var code = request.fields(fields -> fields.required("code", EmailCodes::parseVerificationCode));
        var person = person(request, caller, request.device());
        return change.verify(person, code, request.network()).map(Reply::ok);
    }

    private Person person(ApiRequest request, SignedIn caller, Device device) {
        return new Person(
                caller.project(), caller.user(), caller.token().session(), device, request.language(), request.trail());
    }

    /**
     * {@code POST /v1/auth/email/undo}: undoes a change of the email, a new factor or a new API key, with the token
     * that was mailed to the email that the account had then.
     */
    public Future<Reply> undoChange(ApiRequest request) {
        var token = request.fields(fields -> fields.required("token", text -> Text.line(text, MAX_TOKEN)));
        var undoer = new UndoContext(request.trail(), request.device(), request.language());
        return change.undo(request.project(), token, undoer).map(undone -> Reply.success());
    }
}
