package dev.vestibule.authentication.password;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.authentication.RefusedAttempts;
import dev.vestibule.authentication.password.PasswordReset.ResetRequest;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.project.Language;
import dev.vestibule.session.Device;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** The password of an account, {@code /v1/auth/password}. */
public final class PasswordHandler {
    private final Database database;
    private final MailOutbox outbox;
    private final RefusedAttempts attempts;
    private final PasswordReset reset;
    private final PasswordChange change;
    private final NewPasswords passwords;
    private final RecentSignIn recent;
    private final DeviceReader devices;
    private final Auditor audit;

    public PasswordHandler(
            Database database,
            MailOutbox outbox,
            RefusedAttempts attempts,
            PasswordReset reset,
            PasswordChange change,
            NewPasswords passwords,
            RecentSignIn recent,
            DeviceReader devices,
            Auditor audit) {
        this.database = database;
        this.outbox = outbox;
        this.attempts = attempts;
        this.reset = reset;
        this.change = change;
        this.passwords = passwords;
        this.recent = recent;
        this.devices = devices;
        this.audit = audit;
    }

    /** {@code POST /v1/auth/password/forgot}: mails a code for a new password, if the email has an account. */
    public Future<Reply> forgot(RoutingContext ctx) {
        Caller.project(ctx).factors().requirePassword();
        var email = Fields.read(Body.of(ctx), fields -> fields.required("email", UserFields::email));
        var project = Caller.project(ctx);
        var device = devices.read(ctx);
        var language = RequestLanguage.of(ctx);
        return outbox.request(database.writes(), project, CodePurpose.PASSWORD_RESET, email, language, device)
                .onSuccess(asked -> outbox.wakeUp())
                .onSuccess(asked -> attempts.recordInBackground(
                        database.reads(), AuditEvent.PASSWORD_RESET_REQUESTED, project.id(), email, device, Map.of()))
                .map(asked -> Reply.ok(Map.of("sent", true)));
    }

    /** {@code POST /v1/auth/password/reset}: sets a new password with a mailed code, and ends every session. */
    public Future<Reply> reset(RoutingContext ctx) {
        Caller.project(ctx).factors().requirePassword();
        return reset.run(audit.of(ctx), Fields.read(Body.of(ctx), fields -> resetRequest(ctx, fields)))
                .map(done -> Reply.success());
    }

    private ResetRequest resetRequest(RoutingContext ctx, Fields fields) {
        var project = Caller.project(ctx);
        var email = fields.required("email", UserFields::email);
        return new ResetRequest(
                project,
                devices.read(ctx),
                RequestLanguage.of(ctx),
                email,
                fields.required("code", EmailCodes::parseResetCode),
                fields.required("password", passwords.rule(email, null, project.name())));
    }

    /** {@code POST /v1/auth/password/change}: replaces the password, and ends every session except the caller's. */
    public Future<Reply> change(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        caller.project().factors().requirePassword();
        var email = caller.user().email();
        if (email == null) {
            throw ApiException.conflict("This account has no email, so it cannot have a password.");
        }
        recent.requireWithPassword(caller);
        var device = devices.read(ctx);
        var language = RequestLanguage.of(ctx);
        return change.run(
                        audit.of(ctx),
                        Fields.read(Body.of(ctx), fields -> changeRequest(caller, email, device, language, fields)))
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
