package dev.vestibule.authentication.phone;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.phone.PhoneVerification.Person;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.sms.SmsCodes;
import dev.vestibule.project.Project;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** Verification of phone numbers, and sign in with them. */
public final class PhoneHandler {
    private static final Map<String, String> ANSWER =
            Map.of("message", "If this number can sign in, a code is on its way by SMS.");

    private final SmsSignIn signIn;
    private final PhoneVerification verification;
    private final SmsCodes codes;
    private final RecentSignIn recent;
    private final DeviceReader devices;
    private final Auditor audit;

    PhoneHandler(
            SmsSignIn signIn,
            PhoneVerification verification,
            SmsCodes codes,
            RecentSignIn recent,
            DeviceReader devices,
            Auditor audit) {
        this.signIn = signIn;
        this.verification = verification;
        this.codes = codes;
        this.recent = recent;
        this.devices = devices;
        this.audit = audit;
    }

    /** Whether the project offers sign in with a code by SMS. */
    public boolean isOfferedBy(Project project) {
        return codes.isOnIn(project);
    }

    /** {@code POST /v1/auth/passwordless/sms-otp}: sends a code that signs in the user of the number. */
    public Future<Reply> requestSmsOtp(RoutingContext ctx) {
        var project = Caller.project(ctx);
        signIn.requireOn(project);
        var phone = Fields.read(Body.of(ctx), fields -> fields.required("phone", codes.number(project)));
        return signIn.request(project, phone, RequestLanguage.of(ctx), devices.network(ctx))
                .map(asked -> Reply.ok(ANSWER));
    }

    /** {@code POST /v1/auth/me/phone}: sends a code to the number that the user wants to verify. */
    public Future<Reply> requestVerification(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        Phones.requireOn(codes, caller.project());
        recent.require(caller); // the number will be able to sign in
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

    private record VerifyRequest(String phone, String code) {
        @Override
        public String toString() {
            return "VerifyRequest";
        }
    }

    /** {@code POST /v1/auth/me/phone/verify}: with the code that was sent to it, gives the user the verified number. */
    public Future<Reply> verify(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        Phones.requireOn(codes, caller.project());
        recent.require(caller);
        var request = Fields.read(
                Body.of(ctx),
                fields -> new VerifyRequest(
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
