package dev.vestibule.authentication.reauthentication;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.factor.FactorCode;
import dev.vestibule.authentication.passkey.PasskeyProof;
import dev.vestibule.authentication.reauthentication.Reauthentication.Code;
import dev.vestibule.authentication.reauthentication.Reauthentication.Request;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.token.TokenResponse;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reauthenticates the user of a session. */
public final class ReauthenticationHandler {
    private final Reauthentication reauthentication;
    private final DeviceReader devices;
    private final Auditor audit;

    public ReauthenticationHandler(Reauthentication reauthentication, DeviceReader devices, Auditor audit) {
        this.reauthentication = reauthentication;
        this.devices = devices;
        this.audit = audit;
    }

    /**
     * {@code POST /v1/auth/reauthenticate}: with the password, a passkey or a code, or password and code, returns
     * tokens of the same session that prove a recent sign in.
     */
    public Future<Reply> reauthenticate(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        var request = new Request(
                caller.project(), caller.user(), caller.token().session(), devices.read(ctx), audit.of(ctx));
        return Fields.read(Body.of(ctx), fields -> proof(ctx, request, fields))
                .get()
                .map(Reply::ok);
    }

    private Supplier<Future<TokenResponse>> proof(RoutingContext ctx, Request request, Fields fields) {
        if (fields.isGiven("passkey")) {
            var given = PasskeyProof.read(
                    fields.object("passkey"),
                    request.project(),
                    request.trail(),
                    request.device(),
                    RequestLanguage.of(ctx));
            return () -> reauthentication.byPasskey(request, given);
        }
        if (fields.isGiven("code") && !fields.isGiven("password")) {
            var code = fields.required("code", text -> code(text, ctx));
            return () -> reauthentication.byCode(request, code);
        }
        request.project().factors().requirePassword();
        var password = fields.required("password", UserFields::submittedPassword);
        var code = fields.optional("code", text -> code(text, ctx));
        return () -> reauthentication.byPassword(request, password, code);
    }

    private Code code(String text, RoutingContext ctx) {
        return new Code(FactorCode.parse(text), mailed(text), devices.network(ctx));
    }

    private static @Nullable String mailed(String text) {
        try {
            return EmailCodes.parseVerificationCode(text);
        } catch (InvalidValueException otherForm) {
            return null;
        }
    }
}
