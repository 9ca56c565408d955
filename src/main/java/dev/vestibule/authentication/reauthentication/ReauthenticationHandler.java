package dev.vestibule.authentication.reauthentication;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.factor.FactorCode;
import dev.vestibule.authentication.passkey.PasskeyProof;
import dev.vestibule.authentication.reauthentication.Reauthentication.Code;
import dev.vestibule.authentication.reauthentication.Reauthentication.Request;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.token.TokenResponse;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reauthenticates the user of a session. */
public final class ReauthenticationHandler {
    private final Reauthentication reauthentication;

    public ReauthenticationHandler(Reauthentication reauthentication) {
        this.reauthentication = reauthentication;
    }

    /**
     * {@code POST /v1/auth/reauthenticate}: with the password, a passkey or a code, or password and code, returns
     * tokens of the same session that prove a recent sign in.
     */
    public Future<Reply> reauthenticate(ApiRequest request) {
        var caller = request.user();
        var input = new Request(
                caller.project(), caller.user(), caller.token().session(), request.device(), request.trail());
        return request.fields(fields -> proof(request, input, fields)).get().map(Reply::ok);
    }

    private Supplier<Future<TokenResponse>> proof(ApiRequest request, Request input, Fields fields) {
        if (fields.isGiven("passkey")) {
            var given = PasskeyProof.read(
                    fields.object("passkey"), input.project(), input.trail(), input.device(), request.language());
            return () -> reauthentication.byPasskey(input, given);
        }
        if (fields.isGiven("code") && !fields.isGiven("password")) {
            var code = fields.required("code", text -> code(text, request));
            return () -> reauthentication.byCode(input, code);
        }
        input.project().factors().requirePassword();
        var password = fields.required("password", UserFields::submittedPassword);
        var code = fields.optional("code", text -> code(text, request));
        return () -> reauthentication.byPassword(input, password, code);
    }

    private Code code(String text, ApiRequest request) {
        return new Code(FactorCode.parse(text), mailed(text), request.network());
    }

    private static @Nullable String mailed(String text) {
        try {
            return EmailCodes.parseVerificationCode(text);
        } catch (InvalidValueException otherForm) {
            return null;
        }
    }
}
