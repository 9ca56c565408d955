package dev.vestibule.authentication.password;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.RefusedAttempts;
import dev.vestibule.authentication.password.PasswordReset.ResetRequest;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Device;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The password of an account, {@code /v1/auth/password}, and the mail for a new one. */
public final class PasswordHandler {
    private final Database database;
    private final UserStore users = new UserStore();
    private final MailOutbox outbox;
    private final RefusedAttempts attempts;
    private final PasswordReset reset;
    private final PasswordChange change;
    private final NewPasswords passwords;
    private final RecentSignIn recent;

    public PasswordHandler(
            Database database,
            MailOutbox outbox,
            RefusedAttempts attempts,
            PasswordReset reset,
            PasswordChange change,
            NewPasswords passwords,
            RecentSignIn recent) {
        this.database = database;
        this.outbox = outbox;
        this.attempts = attempts;
        this.reset = reset;
        this.change = change;
        this.passwords = passwords;
        this.recent = recent;
    }

    /** {@code POST /v1/auth/password/forgot}: mails a code for a new password, if the email has an account. */
    public Future<Reply> forgot(ApiRequest request) {
        request.project().factors().requirePassword();
        var email = request.fields(fields -> fields.required("email", UserFields::email));
        var project = request.project();
        var device = request.device();
        return requestReset(project, email, request.language(), device)
                .onSuccess(asked -> attempts.recordInBackground(
                        database.reads(), Logged.PASSWORD_RESET_REQUESTED, project.id(), email, device, Map.of()))
                .map(asked -> Reply.ok(Map.of("sent", true)));
    }

    private Future<Void> requestReset(Project project, String email, Language language, @Nullable Device device) {
        return outbox.request(database.writes(), project, CodePurpose.PASSWORD_RESET, email, language, device)
                .onSuccess(asked -> outbox.wakeUp());
    }

    /** {@code POST /v1/dashboard/users/:userId/password-reset}: mails a user the code that {@link #forgot} mails. */
    public Future<Reply> sendReset(ApiRequest request) {
        var project = request.project();
        project.factors().requirePassword();
        var user = new UserId(request.pathId("userId"));
        var trail = request.trail();
        return users.find(database.reads(), project.id(), user)
                .map(found -> found.orElseThrow(UserErrors::notFound).user().email())
                .compose(email -> requestReset(project, requireEmail(email), project.language(null), null))
                .onSuccess(asked -> trail.enqueue(Logged.PASSWORD_RESET_REQUESTED, Target.user(user.value()), Map.of()))
                .map(asked -> Reply.ok(Map.of("sent", true)));
    }

    private static String requireEmail(@Nullable String email) {
        if (email == null) {
            throw ApiException.of(ErrorCode.EMAIL_REQUIRED, "This account has no email, so it cannot have a password.");
        }
        return email;
    }

    /** {@code POST /v1/auth/password/reset}: sets a new password with a mailed code, and ends every session. */
    public Future<Reply> reset(ApiRequest request) {
        request.project().factors().requirePassword();
        return reset.run(request.trail(), request.fields(fields -> resetRequest(request, fields)))
                .map(done -> Reply.success());
    }

    private ResetRequest resetRequest(ApiRequest request, Fields fields) {
        var project = request.project();
        var email = fields.required("email", UserFields::email);
        return new ResetRequest(
                project,
                request.device(),
                request.language(),
                email,
                fields.required("code", EmailCodes::parseResetCode),
                fields.required("password", passwords.rule(email, null, project.name())));
    }

    /** {@code POST /v1/auth/password/change}: replaces the password, and ends every session except the caller's. */
    public Future<Reply> change(ApiRequest request) {
        var caller = request.user();
        caller.project().factors().requirePassword();
        var email = requireEmail(caller.user().email());
        recent.requireWithPassword(caller);
        var device = request.device();
        var language = request.language();
        return change.run(
                        request.trail(),
                        request.fields(fields -> changeRequest(caller, email, device, language, fields)))
                .map(done -> Reply.success());
    }

    private PasswordChange.Request changeRequest(
            SignedIn caller, String email, Device device, Language language, Fields fields) {
        var current = fields.required("currentPassword", UserFields::submittedPassword);
        var wanted = fields.required(
                "newPassword",
                passwords.rule(
                        email, caller.user().displayName(), caller.project().name()));
        // Both are null after a violation.
        if (current != null && current.normalised().equals(wanted)) {
            fields.reject("newPassword", "must not be the current password");
        }
        return new PasswordChange.Request(
                caller.project().id(),
                caller.user().id(),
                email,
                caller.token().session(),
                device,
                language,
                current,
                wanted);
    }
}
