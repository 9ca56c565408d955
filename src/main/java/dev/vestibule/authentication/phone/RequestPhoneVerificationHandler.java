package dev.vestibule.authentication.phone;

import dev.vestibule.access.Caller;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.sms.SmsCodes;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code POST /v1/auth/me/phone}: sends a code to the number that the user wants to have verified. */
public final class RequestPhoneVerificationHandler implements ApiHandler {
    private final PhoneVerification verification;
    private final SmsCodes codes;
    private final RecentSignIn recent;
    private final DeviceReader devices;

    RequestPhoneVerificationHandler(
            PhoneVerification verification, SmsCodes codes, RecentSignIn recent, DeviceReader devices) {
        this.verification = verification;
        this.codes = codes;
        this.recent = recent;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        Phones.requireOn(codes, caller.project());
        recent.require(caller); // the number will sign in
        var phone = Fields.read(Body.of(ctx), fields -> phone(fields, caller));
        return verification
                .request(caller.user(), phone, RequestLanguage.of(ctx), devices.network(ctx))
                .map(asked -> Reply.ok(Map.of("sent", true)));
    }

    private String phone(Fields fields, SignedIn caller) {
        var phone = fields.required("phone", codes.number(caller.project()));
        if (phone != null && Phones.hasVerified(caller.user(), phone)) { // null after a violation
            fields.reject("phone", "is verified already");
        }
        return phone;
    }
}
