package dev.vestibule.authentication.phone;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.phone.PhoneVerification.Person;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.sms.SmsCodes;
import dev.vestibule.project.Project;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import java.util.Map;

/** Verification of phone numbers, and sign in with them. */
public final class PhoneHandler {
    private static final Map<String, String> ANSWER =
            Map.of("message", "If this number can sign in, a code is on its way by SMS.");

    private final SmsSignIn signIn;
    private final PhoneVerification verification;
    private final SmsCodes codes;
    private final RecentSignIn recent;

    PhoneHandler(SmsSignIn signIn, PhoneVerification verification, SmsCodes codes, RecentSignIn recent) {
        this.signIn = signIn;
        this.verification = verification;
        this.codes = codes;
        this.recent = recent;
    }

    /** Whether the project offers sign in with a code by SMS. */
    public boolean isOfferedBy(Project project) {
        return codes.isOnIn(project);
    }

    /** {@code POST /v1/auth/passwordless/sms-otp}: sends a code that signs in the user of the number. */
    public Future<Reply> requestSmsOtp(ApiRequest request) {
        var project = request.project();
        signIn.requireOn(project);
        var phone = request.fields(fields -> fields.required("phone", codes.number(project)));
        return signIn.request(project, phone, request.language(), request.network())
                .map(asked -> Reply.ok(ANSWER));
    }

    /** {@code POST /v1/auth/me/phone}: sends a code to the number that the user wants to verify. */
    public Future<Reply> requestVerification(ApiRequest request) {
        var caller = request.user();
        codes.requireOnIn(caller.project());
        recent.require(caller); // the number will be able to sign in
        var phone = request.fields(fields -> phone(fields, caller));
        return verification
                .request(caller.user(), phone, request.language(), request.network())
                .map(asked -> Reply.ok(Map.of("sent", true)));
    }

    private String phone(Fields fields, SignedIn caller) {
        var phone = fields.required("phone", codes.number(caller.project()));
        if (phone != null && caller.user().hasVerified(phone)) { // null after a violation
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
    public Future<Reply> verify(ApiRequest request) {
        var caller = request.user();
        codes.requireOnIn(caller.project());
        recent.require(caller);
        var input = request.fields(fields -> new VerifyRequest(
                fields.required("phone", UserFields.phone(caller.project().defaultCountry())),
                fields.required("code", EmailCodes::parseVerificationCode)));
        var person = new Person(
                caller.project(),
                caller.user(),
                caller.token().session(),
                request.trail(),
                request.device(),
                request.language());
        return verification
                .verify(person, input.phone(), input.code(), request.network())
                .map(Reply::ok);
    }
}
