package dev.vestibule.authentication;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.factor.FactorCode;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.token.SignInResult;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/mfa/verify}: completes a sign in by the code of the second factor. */
public final class VerifyMfaHandler implements ApiHandler {
    private final MfaSignIn signIn;
    private final DeviceReader devices;
    private final Auditor audit;

    VerifyMfaHandler(MfaSignIn signIn, DeviceReader devices, Auditor audit) {
        this.signIn = signIn;
        this.devices = devices;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return signIn.run(request(ctx)).map(Reply::ok);
    }

    /** The same on the hosted page, which hands out no tokens. */
    public Future<SignInResult> verifyOnPage(RoutingContext ctx) {
        return signIn.open(request(ctx)).map(MfaSignIn.Opened::session);
    }

    private MfaSignIn.Request request(RoutingContext ctx) {
        return Fields.read(Body.of(ctx), fields -> request(ctx, fields));
    }

    private MfaSignIn.Request request(RoutingContext ctx, Fields fields) {
        return new MfaSignIn.Request(
                Caller.project(ctx),
                fields.required("mfaToken", FieldType.token()),
                fields.required("code", FactorCode::parse),
                RequestLanguage.of(ctx),
                devices.read(ctx),
                audit.of(ctx));
    }
}
