package dev.vestibule.authentication.phone;

import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.sms.SmsCodes;
import dev.vestibule.project.Project;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code POST /v1/auth/passwordless/sms-otp}: sends a code that signs in whose number it is. */
public final class RequestSmsOtpHandler implements ApiHandler {
    private static final Map<String, String> ANSWER =
            Map.of("message", "If this number can sign in, a code is on its way by SMS.");

    private final SmsSignIn signIn;
    private final SmsCodes codes;
    private final DeviceReader devices;

    RequestSmsOtpHandler(SmsSignIn signIn, SmsCodes codes, DeviceReader devices) {
        this.signIn = signIn;
        this.codes = codes;
        this.devices = devices;
    }

    /** Whether people sign in to the project in this way. */
    public boolean isOfferedBy(Project project) {
        return codes.isOnIn(project);
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        signIn.requireOn(project);
        var phone = Fields.read(Body.of(ctx), fields -> fields.required("phone", codes.number(project)));
        return signIn.request(project, phone, RequestLanguage.of(ctx), devices.network(ctx))
                .map(asked -> Reply.ok(ANSWER));
    }
}
