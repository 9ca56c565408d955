package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.PageVisitors;
import dev.vestibule.authentication.AuthenticationHandlers;
import dev.vestibule.authentication.factor.FactorHandlers;
import dev.vestibule.authentication.passkey.PasskeyHandlers;
import dev.vestibule.authentication.passwordless.PasswordlessHandlers;
import dev.vestibule.authentication.phone.PhoneHandlers;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.error.Violation;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.limits.Quota;
import dev.vestibule.oauth.RedirectUrl;
import dev.vestibule.page.hosted.HostedCodeStore.Grant;
import dev.vestibule.page.hosted.HostedPages.View;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * {@code POST /p/:slug/:form}: what a person has entered on the page. It goes to the handler of the API's own route, whose
 * answer decides what the browser sees next.
 */
public final class SubmitHostedFormHandler implements ApiHandler {
    /**
     * A form of the page.
     *
     * @param api the handler of the operation, as the API's route has it
     * @param quota the limit of that route
     * @param fields what the form has
     * @param screen where it is shown, and again where something is refused
     * @param next what is shown where the operation answers neither tokens nor a question
     */
    private record HostedForm(
            ApiHandler api, Quota quota, List<String> fields, Screen screen, UnaryOperator<View> next) {
        private ObjectNode body(MultiMap entered) {
            return screen == Screen.PASSKEY ? signedByPasskey(entered) : flat(entered);
        }

        private ObjectNode flat(MultiMap entered) {
            var body = JsonNodeFactory.instance.objectNode();
            for (var field : fields) {
                var text = entered.get(field);
                if (text != null && !(field.equals("displayName") && text.isBlank())) {
                    body.put(field, text);
                }
            }
            return body;
        }

        private ObjectNode signedByPasskey(MultiMap entered) {
            var id = given(entered, "credential");
            var body = JsonNodeFactory.instance.objectNode();
            body.put("id", id).put("rawId", id).put("type", "public-key");
            var response = body.putObject("response");
            fields.forEach(field -> response.put(field, given(entered, field)));
            return body;
        }
    }

    /** What the page does itself, after the backup codes. */
    private static final String GO_ON = "go-on";

    /** What the script of passkeys asks for. */
    private static final String PASSKEY_CHALLENGE = "passkey-challenge";

    private static final String LINK = "link";

    private final Database database;
    private final HostedVisitHandler visits;
    private final PageVisitors visitors;
    private final FactorHandlers factors;
    private final PasskeyHandlers passkeys;
    private final FormMemory memory;
    private final HostedCodes codes;
    private final HostedPages pages;
    private final Map<String, HostedForm> forms;

    SubmitHostedFormHandler(
            Database database,
            HostedVisitHandler visits,
            PageVisitors visitors,
            AuthenticationHandlers authentication,
            PasswordlessHandlers passwordless,
            FactorHandlers factors,
            PhoneHandlers phones,
            PasskeyHandlers passkeys,
            FormMemory memory,
            HostedCodes codes,
            HostedPages pages) {
        this.database = database;
        this.visits = visits;
        this.visitors = visitors;
        this.factors = factors;
        this.passkeys = passkeys;
        this.memory = memory;
        this.codes = codes;
        this.pages = pages;
        this.forms = forms(authentication, passwordless, factors, phones, passkeys);
    }

    private static Map<String, HostedForm> forms(
            AuthenticationHandlers auth,
            PasswordlessHandlers passwordless,
            FactorHandlers factors,
            PhoneHandlers phones,
            PasskeyHandlers passkeys) {
        var forms = new HashMap<>(Map.of(
                "sign-in",
                new HostedForm(
                        auth.signIn(), Quota.SIGN_IN, List.of("email", "password"), Screen.SIGN_IN, view -> view),
                "sign-up",
                new HostedForm(
                        auth.signUp(),
                        Quota.SIGN_UP,
                        List.of("email", "password", "displayName"),
                        Screen.SIGN_UP,
                        view -> view),
                "verify",
                new HostedForm(auth.verifyEmail(), Quota.CODE, List.of("email", "code"), Screen.VERIFY, view -> view),
                "resend",
                new HostedForm(
                        auth.resendCode(),
                        Quota.CODE,
                        List.of("email"),
                        Screen.VERIFY,
                        view -> view.withNotice("notice.sent")),
                "forgot-password",
                new HostedForm(
                        auth.forgotPassword(),
                        Quota.CODE,
                        List.of("email"),
                        Screen.FORGOT_PASSWORD,
                        view -> View.of(Screen.RESET_PASSWORD).withNotice("notice.sent")),
                "reset-password",
                new HostedForm(
                        auth.resetPassword(),
                        Quota.CODE,
                        List.of("email", "code", "password"),
                        Screen.RESET_PASSWORD,
                        view -> View.of(Screen.SIGN_IN).withNotice("notice.reset")),
                "second-factor",
                new HostedForm(
                        auth.verifyMfa(),
                        Quota.SIGN_IN,
                        List.of("mfaToken", "code"),
                        Screen.SECOND_FACTOR,
                        view -> view),
                "email-code",
                new HostedForm(
                        passwordless.sendEmailOtp(),
                        Quota.CODE,
                        List.of("email"),
                        Screen.EMAIL_CODE,
                        view -> View.of(Screen.ENTER_EMAIL_CODE).withNotice("notice.sent")),
                "enter-email-code",
                new HostedForm(
                        passwordless.verify(),
                        Quota.CODE,
                        List.of("email", "code"),
                        Screen.ENTER_EMAIL_CODE,
                        view -> view)));
        forms.put(
                "set-up-factor",
                new HostedForm(
                        factors.verifyTotpSetup(),
                        Quota.SIGN_IN,
                        List.of("mfaToken", "code"),
                        Screen.SET_UP_FACTOR,
                        view -> view));
        forms.put(
                "sms-code",
                new HostedForm(
                        phones.requestSmsOtp(),
                        Quota.CODE,
                        List.of("phone"),
                        Screen.SMS_CODE,
                        view -> View.of(Screen.ENTER_SMS_CODE)
                                .with("phone", view.phone())
                                .withNotice("notice.sms-sent")));
        forms.put(
                "enter-sms-code",
                new HostedForm(
                        passwordless.verify(),
                        Quota.CODE,
                        List.of("phone", "code"),
                        Screen.ENTER_SMS_CODE,
                        view -> view));
        forms.put(
                "passkey",
                new HostedForm(
                        passkeys.finishSignIn(),
                        Quota.SIGN_IN,
                        List.of("authenticatorData", "clientDataJSON", "signature", "userHandle"),
                        Screen.PASSKEY,
                        view -> view));
        forms.put(
                "magic-link",
                new HostedForm(
                        passwordless.sendLinkToPage(),
                        Quota.CODE,
                        List.of("email"),
                        Screen.MAGIC_LINK,
                        view -> View.of(Screen.LINK_SENT)));
        forms.put(
                LINK,
                new HostedForm(
                        passwordless.verifyLinkOfPage(),
                        Quota.CODE,
                        List.of("token", "email"),
                        Screen.LINK,
                        view -> view));
        return Map.copyOf(forms);
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var name = Objects.requireNonNullElse(ctx.pathParam("form"), LINK);
        var form = forms.get(name);
        if (form == null && !name.equals(GO_ON) && !name.equals(PASSKEY_CHALLENGE)) {
            throw ApiException.notFound("There is nothing at this path.");
        }
        var entered = Form.of(ctx);
        if (form == null) {
            return visits.admit(
                    ctx,
                    entered.get("request"),
                    visit -> name.equals(GO_ON)
                            ? leaveBackupCodes(ctx, visit, entered)
                            : passkeyChallenge(ctx, visit, entered));
        }
        return visits.admit(ctx, entered.get("request"), visit -> submit(ctx, visit, form, entered));
    }

    private Future<Reply> submit(RoutingContext ctx, HostedVisit visit, HostedForm form, MultiMap entered) {
        var view = View.of(form.screen())
                .withEmail(given(entered, "email"))
                .with("displayName", given(entered, "displayName"))
                .with("mfaToken", given(entered, "mfaToken"))
                .with("phone", given(entered, "phone"));
        if (form.screen() == Screen.SET_UP_FACTOR) {
            var setUp = memory.read(visit, given(entered, "setUp")).map(FactorSetUp::of);
            if (setUp.isEmpty()) {
                return show(visit, again(ErrorStatus.FORBIDDEN));
            }
            view = view.withSetUp(setUp.get());
            entered.set("mfaToken", setUp.get().mfaToken());
        }
        if (form.screen() == Screen.LINK) {
            var asked = visits.linkAskedFor(ctx, visit);
            if (asked.isEmpty()) {
                return show(visit, View.of(Screen.LINK_ELSEWHERE));
            }
            entered.set("email", asked.get().email());
            view = view.withEmail(asked.get().email()).with("token", given(entered, "token"));
        }
        return submit(ctx, visit, form, entered, view);
    }

    private Future<Reply> submit(RoutingContext ctx, HostedVisit visit, HostedForm form, MultiMap entered, View view) {
        if (!visits.isOurForm(ctx, visit, entered.get("formToken"))) {
            return show(visit, view.withProblem(ErrorStatus.FORBIDDEN.code(), "problem.stale", Map.of()));
        }
        return run(ctx, form, entered)
                .map(answer -> Json.parse(answer.body()))
                .onSuccess(answer -> {
                    if (form.screen() == Screen.MAGIC_LINK) {
                        visits.rememberLink(ctx, visit, answer.path("email").asText());
                    }
                })
                .compose(answer -> answered(visit, form.next(), view, answer))
                .recover(failure -> failure instanceof ApiException refused
                        ? refused(ctx, visit, view, refused)
                        : Future.failedFuture(failure));
    }

    /** Whatever the operation throws becomes a failed future, as the router makes it one for the API. */
    private Future<Reply> run(RoutingContext ctx, HostedForm form, MultiMap entered) {
        return Future.succeededFuture().compose(ready -> {
            visitors.count(ctx, form.quota());
            Body.replace(ctx, form.body(entered));
            return form.api().handle(ctx);
        });
    }

    private static String given(MultiMap entered, String field) {
        return Objects.requireNonNullElse(entered.get(field), "");
    }

    /** What comes after the answer of an operation, whatever form or provider brought the person there. */
    Future<Reply> answered(HostedVisit visit, UnaryOperator<View> next, View view, JsonNode answer) {
        if (answer.hasNonNull("accessToken")) {
            return signedIn(visit, view, answer.get("accessToken").asText());
        }
        if (answer.path("needsVerification").asBoolean()) {
            return show(visit, View.of(Screen.VERIFY).withEmail(view.email()).withNotice("notice.sent"));
        }
        if (answer.path("mfaRequired").asBoolean()) {
            return show(
                    visit,
                    View.of(Screen.SECOND_FACTOR)
                            .with("mfaToken", answer.path("mfaToken").asText()));
        }
        return show(visit, next.apply(view).withEmail(view.email()));
    }

    private Future<Reply> show(HostedVisit visit, View view) {
        return Future.succeededFuture(pages.show(visit, view));
    }

    /** The tokens stay here and are forgotten: the application gets its own for the code. */
    private Future<Reply> signedIn(HostedVisit visit, View view, String accessToken) {
        var claims = Json.parse(
                Buffer.buffer(Base64.getUrlDecoder().decode(accessToken.split("\\.", -1)[1])));
        var session = new SessionId(UUID.fromString(claims.path("sid").asText()));
        var user = new UserId(UUID.fromString(claims.path("sub").asText()));
        var setUp = view.setUp();
        if (visit.request().isEmpty()) {
            var url = visit.project().callbackUrl();
            return codes.end(database, visit.project(), session)
                    .map(ended -> setUp == null ? pages.done(visit, url) : pages.backupCodes(visit, setUp, "", url));
        }
        var request = visit.request().get();
        return setUp == null
                ? goOn(visit, request, session, user)
                : codes.hold(database, visit, request.returnTo(), session, user)
                        .map(ticket -> pages.backupCodes(visit, setUp, ticket, null));
    }

    private Future<Reply> goOn(HostedVisit visit, HostedRequest request, SessionId session, UserId user) {
        var grant = new Grant(session, user, request.codeChallenge(), request.returnTo());
        return codes.issue(database, visit.project(), grant)
                .map(code -> pages.goOn(
                        visit,
                        RedirectUrl.of(request.returnTo()).with("code", code)
                                + "&state="
                                + URLEncoder.encode(request.state(), StandardCharsets.UTF_8)
                                        .replace("+", "%20")));
    }

    /** The person has seen the backup codes. */
    private Future<Reply> leaveBackupCodes(RoutingContext ctx, HostedVisit visit, MultiMap entered) {
        if (visit.request().isEmpty() || !visits.isOurForm(ctx, visit, entered.get("formToken"))) {
            return show(visit, again(ErrorStatus.FORBIDDEN));
        }
        var request = visit.request().get();
        return codes.release(database, visit, request.returnTo(), given(entered, "ticket"))
                .compose(held -> held.isEmpty()
                        ? show(visit, again(ErrorStatus.CONFLICT))
                        : goOn(visit, request, held.get().session(), held.get().user()));
    }

    /** As JSON, for the script: the API's own route would refuse the page's origin where it is not one of the application's. */
    private Future<Reply> passkeyChallenge(RoutingContext ctx, HostedVisit visit, MultiMap entered) {
        if (!visits.isOurForm(ctx, visit, entered.get("formToken"))) {
            throw ApiException.forbidden("This form was too old, or is not of this page.");
        }
        visitors.count(ctx, Quota.OAUTH);
        Body.replace(ctx, JsonNodeFactory.instance.objectNode());
        return passkeys.beginSignIn().handle(ctx);
    }

    private static View again(ErrorStatus status) {
        return View.of(Screen.SIGN_IN).withProblem(status.code(), "problem.mfaToken", Map.of());
    }

    Future<Reply> refused(RoutingContext ctx, HostedVisit visit, View view, ApiException refused) {
        if ("mfa_enrollment_required".equals(refused.reason())) {
            return setUpFactor(ctx, visit, String.valueOf(refused.more().get("mfaToken")));
        }
        // A person who took too long, or has a factor by now, begins at the password again.
        return view.setUp() != null && refused.status() == ErrorStatus.CONFLICT
                ? show(visit, again(ErrorStatus.CONFLICT))
                : Future.succeededFuture(refused(visit, view, refused));
    }

    /** The sign in goes on with a second factor that the person sets up now. */
    private Future<Reply> setUpFactor(RoutingContext ctx, HostedVisit visit, String mfaToken) {
        return Future.succeededFuture()
                .compose(ready -> {
                    visitors.count(ctx, Quota.SIGN_IN);
                    Body.replace(ctx, JsonNodeFactory.instance.objectNode().put("mfaToken", mfaToken));
                    return factors.setUpTotp().handle(ctx);
                })
                .compose(answer -> {
                    var fields = (ObjectNode) Json.parse(answer.body());
                    var setUp = FactorSetUp.of(fields.put("mfaToken", mfaToken));
                    return show(visit, View.of(Screen.SET_UP_FACTOR).withSetUp(setUp));
                })
                .recover(failure -> failure instanceof ApiException refused
                        ? Future.succeededFuture(refused(visit, View.of(Screen.SIGN_IN), notSetUp(refused)))
                        : Future.failedFuture(failure));
    }

    /** The project has no one-time passwords, or the account no email and so no password: nothing that a form could mend. */
    private static ApiException notSetUp(ApiException refused) {
        return refused.status() == ErrorStatus.NOT_FOUND || refused.status() == ErrorStatus.CONFLICT
                ? ApiException.forbidden(refused.message())
                : refused;
    }

    /** In the page's words, since the API's are for developers. */
    private Reply refused(HostedVisit visit, View view, ApiException refused) {
        var status = refused.status();
        if (view.screen() == Screen.PASSKEY
                && (status == ErrorStatus.UNPROCESSABLE || status == ErrorStatus.UNAUTHORIZED)) {
            return pages.show(visit, view.withProblem(ErrorStatus.UNPROCESSABLE.code(), "problem.passkey", Map.of()));
        }
        if (status == ErrorStatus.UNPROCESSABLE) {
            return pages.show(visit, view.withProblem(status.code(), "", problems(refused.details())));
        }
        var phrase = switch (status) {
            case UNAUTHORIZED ->
                switch (view.screen()) {
                    case SIGN_IN -> "problem.wrong-password";
                    case LINK -> "problem.wrong-link";
                    case SET_UP_FACTOR -> "problem.set-up-code";
                    default -> "problem.wrong-code";
                };
            case FORBIDDEN -> "problem.forbidden";
            case CONFLICT -> view.screen() == Screen.ENTER_SMS_CODE ? "problem.forbidden" : "problem.taken";
            case TOO_MANY_REQUESTS -> "problem.too-many";
            case UNAVAILABLE -> "problem.busy";
            default -> "problem.other";
        };
        // A 401 would have to name a scheme of HTTP authentication, which browsers then ask the person for.
        var shown = status == ErrorStatus.UNAUTHORIZED ? ErrorStatus.UNPROCESSABLE : status;
        var problem = view.withProblem(shown.code(), phrase, Map.of());
        var wait = refused.retryAfter();
        return wait == null
                ? pages.show(visit, problem)
                : pages.show(visit, status == ErrorStatus.TOO_MANY_REQUESTS ? problem.withWait(wait) : problem)
                        .withHeader("Retry-After", String.valueOf(Math.max(1, wait.toSeconds())));
    }

    private static Map<String, String> problems(List<Violation> violations) {
        var problems = new HashMap<String, String>();
        violations.forEach(violation -> problems.put(violation.field(), "problem." + violation.field()));
        return problems;
    }
}
