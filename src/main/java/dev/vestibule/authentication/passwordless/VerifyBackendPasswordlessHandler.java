package dev.vestibule.authentication.passwordless;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.authentication.factor.MfaChallenges;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.session.Authentication;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/backend/passwordless/verify}: whether a code is right, and whose; it opens no session. */
public final class VerifyBackendPasswordlessHandler implements ApiHandler {
    private final PasswordlessSignIn signIn;
    private final EmailOwners owners;
    private final MfaChallenges challenges;
    private final DeviceReader devices;
    private final Auditor audit;
    private final Clock clock;

    VerifyBackendPasswordlessHandler(
            PasswordlessSignIn signIn,
            EmailOwners owners,
            MfaChallenges challenges,
            DeviceReader devices,
            Auditor audit,
            Clock clock) {
        this.signIn = signIn;
        this.owners = owners;
        this.challenges = challenges;
        this.devices = devices;
        this.audit = audit;
        this.clock = clock;
    }

    private record Request(String email, String code) {}

    private record Response(
            boolean valid,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            UserId userId) {
        static final Response INVALID = new Response(false, null);
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = PasswordlessRequest.allowed(Caller.project(ctx));
        var request = Fields.readStrictly(
                Body.of(ctx),
                fields -> new Request(
                        fields.required("email", UserFields::email),
                        fields.required("code", EmailCodes::parseVerificationCode)));
        var variant = Caller.variant(ctx);
        var wrong = EmailCodes.wrongCode();
        return signIn.proveByCode(project, devices.read(ctx), request.email(), request.code(), devices.network(ctx))
                .compose(proof -> proof.isEmpty()
                        ? Future.succeededFuture(Response.INVALID)
                        : owners.admit(
                                        project,
                                        audit.of(ctx),
                                        proof.get(),
                                        wrong,
                                        (transaction, account) -> answer(transaction, project, variant, account))
                                .map(Supplier::get)
                                .recover(failure -> failure == wrong
                                        ? Future.succeededFuture(Response.INVALID)
                                        : Future.failedFuture(failure)))
                .map(Reply::ok);
    }

    /** What is said after the commit; the same refusal as where a session would be opened. */
    private Future<Supplier<Response>> answer(
            SqlConnection transaction, Project project, ApiVariant variant, Account account) {
        var authentication = Authentication.by(Authentication.MAIL, clock.instant());
        return MfaChallenges.mustEnrol(project, account, authentication.at())
                ? challenges
                        .issueForEnrolment(transaction, account, variant, authentication)
                        .map(required -> () -> {
                            throw required.error();
                        })
                : Future.succeededFuture(() -> new Response(true, account.user().id()));
    }
}
