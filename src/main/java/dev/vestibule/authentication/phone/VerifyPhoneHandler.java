package dev.vestibule.authentication.phone;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.phone.PhoneVerification.Person;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.sms.SmsCodes;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/me/phone/verify}: gives the user the number, verified, by the code that was sent to it. */
public final class VerifyPhoneHandler implements ApiHandler {
    private record Request(String phone, String code) {
        @Override
        public String toString() {
            return "Request";
        }
    }

    private final PhoneVerification verification;
    private final SmsCodes codes;
    private final RecentSignIn recent;
    private final DeviceReader devices;
    private final Auditor audit;

    VerifyPhoneHandler(
            PhoneVerification verification, SmsCodes codes, RecentSignIn recent, DeviceReader devices, Auditor audit) {
        this.verification = verification;
        this.codes = codes;
        this.recent = recent;
        this.devices = devices;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        Phones.requireOn(codes, caller.project());
        recent.require(caller);
        var request = Fields.read(
                Body.of(ctx),
                fields -> new Request(
                        fields.required(
                                "phone", UserFields.phone(caller.project().defaultCountry())),
                        fields.required("code", EmailCodes::parseVerificationCode)));
        var person = new Person(
                caller.project(),
                caller.user(),
                caller.token().session(),
                audit.of(ctx),
                devices.read(ctx),
                RequestLanguage.of(ctx));
        return verification
                .verify(person, request.phone(), request.code(), devices.network(ctx))
                .map(Reply::ok);
    }
}
