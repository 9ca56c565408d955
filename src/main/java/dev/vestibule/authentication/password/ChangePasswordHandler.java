package dev.vestibule.authentication.password;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.password.PasswordChange.Request;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.Language;
import dev.vestibule.session.Device;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/password/change}: replaces the password, and ends every session but the caller's. */
public final class ChangePasswordHandler implements ApiHandler {
    private final PasswordChange change;
    private final NewPasswords passwords;
    private final RecentSignIn recent;
    private final DeviceReader devices;
    private final Auditor audit;

    public ChangePasswordHandler(
            PasswordChange change, NewPasswords passwords, RecentSignIn recent, DeviceReader devices, Auditor audit) {
        this.change = change;
        this.passwords = passwords;
        this.recent = recent;
        this.devices = devices;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        caller.project().factors().requirePassword();
        var email = caller.user().email();
        if (email == null) {
            throw ApiException.conflict("This account has no email, so it cannot have a password.");
        }
        recent.requireBesidePassword(caller);
        var device = devices.read(ctx);
        var language = RequestLanguage.of(ctx);
        return change.run(
                        audit.of(ctx),
                        Fields.read(Body.of(ctx), fields -> request(caller, email, device, language, fields)))
                .map(done -> Reply.success());
    }

    private Request request(SignedIn caller, String email, Device device, Language language, Fields fields) {
        var current = fields.required("currentPassword", UserFields::submittedPassword);
        var wanted = fields.required(
                "newPassword",
                passwords.rule(
                        email, caller.user().displayName(), caller.project().name()));
        // Both are null after a violation.
        if (current != null && current.normalised().equals(wanted)) {
            fields.reject("newPassword", "must not be the current password");
        }
        return new Request(
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
