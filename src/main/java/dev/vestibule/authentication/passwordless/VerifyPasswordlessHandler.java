package dev.vestibule.authentication.passwordless;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.passwordless.PasswordlessSignIn.Visitor;
import dev.vestibule.authentication.phone.SmsSignIn;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Supplier;

/** {@code POST /v1/auth/passwordless/verify}: signs in with the token of a link, or with an email and the code sent there. */
public final class VerifyPasswordlessHandler implements ApiHandler {
    static final int MAX_TOKEN = 200;

    private final PasswordlessSignIn signIn;
    private final SmsSignIn bySms;
    private final DeviceReader devices;
    private final Auditor audit;

    VerifyPasswordlessHandler(PasswordlessSignIn signIn, SmsSignIn bySms, DeviceReader devices, Auditor audit) {
        this.signIn = signIn;
        this.bySms = bySms;
        this.devices = devices;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return Fields.read(
                        Body.of(ctx),
                        fields -> fields.isGiven("phone") || fields.holds("email", VerifyPasswordlessHandler::isNumber)
                                ? bySms(ctx, fields)
                                : attempt(ctx, fields))
                .get();
    }

    /** Some clients send the number as the email: a digit, and nothing that only an email has. */
    private static boolean isNumber(String email) {
        return email.codePoints().anyMatch(Character::isDigit)
                && email.codePoints().noneMatch(c -> c == '@' || Character.isLetter(c));
    }

    private Supplier<Future<Reply>> bySms(RoutingContext ctx, Fields fields) {
        var request = smsRequest(ctx, fields);
        return () -> bySms.run(request).map(Reply::ok);
    }

    private SmsSignIn.Request smsRequest(RoutingContext ctx, Fields fields) {
        var project = Caller.project(ctx);
        bySms.requireOn(project);
        var field = fields.isGiven("phone") ? "phone" : "email";
        return new SmsSignIn.Request(
                project,
                Caller.variant(ctx),
                fields.required(field, UserFields.phone(project.defaultCountry())),
                fields.required("code", EmailCodes::parseVerificationCode),
                RequestLanguage.of(ctx),
                devices.read(ctx),
                devices.network(ctx),
                audit.of(ctx));
    }

    private Supplier<Future<Reply>> attempt(RoutingContext ctx, Fields fields) {
        var project = PasswordlessRequest.allowed(Caller.project(ctx));
        var visitor =
                new Visitor(project, Caller.variant(ctx), devices.read(ctx), RequestLanguage.of(ctx), audit.of(ctx));
        if (fields.isGiven("token")) {
            var token = fields.required("token", text -> Text.line(text, MAX_TOKEN));
            return () -> signIn.byLink(visitor, token).map(Reply::ok);
        }
        var email = fields.required("email", UserFields::email);
        var code = fields.required("code", EmailCodes::parseVerificationCode);
        return () -> signIn.byCode(visitor, email, code, devices.network(ctx)).map(Reply::ok);
    }
}
