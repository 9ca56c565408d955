package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.PageVisitors;
import dev.vestibule.authentication.AuthenticationHandlers;
import dev.vestibule.authentication.factor.FactorHandler;
import dev.vestibule.authentication.passkey.PasskeyHandler;
import dev.vestibule.authentication.passwordless.PasswordlessHandler;
import dev.vestibule.authentication.phone.PhoneHandler;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.limits.Quota;
import dev.vestibule.page.hosted.HostedPages.View;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    private static final String LINK = "link";

    private final HostedVisitHandler visits;
    private final PageVisitors visitors;
    private final FormMemory memory;
    private final HostedAnswerHandler answers;
    private final HostedPages pages;
    private final Map<String, HostedForm> forms;

    SubmitHostedFormHandler(
            HostedVisitHandler visits,
            PageVisitors visitors,
            AuthenticationHandlers authentication,
            PasswordlessHandler passwordless,
            FactorHandler factors,
            PhoneHandler phones,
            PasskeyHandler passkeys,
            FormMemory memory,
            HostedAnswerHandler answers,
            HostedPages pages) {
        this.visits = visits;
        this.visitors = visitors;
        this.memory = memory;
        this.answers = answers;
        this.pages = pages;
        this.forms = forms(authentication, passwordless, factors, phones, passkeys);
    }

    private static Map<String, HostedForm> forms(
            AuthenticationHandlers auth,
            PasswordlessHandler passwordless,
            FactorHandler factors,
            PhoneHandler phones,
            PasskeyHandler passkeys) {
        var forms = new HashMap<>(Map.of(
                "sign-in",
                new HostedForm(
                        auth.signIn()::signIn,
                        Quota.SIGN_IN,
                        List.of("email", "password"),
                        Screen.SIGN_IN,
                        view -> view),
                "sign-up",
                new HostedForm(
                        auth.signUp()::signUp,
                        Quota.SIGN_UP,
                        List.of("email", "password", "displayName"),
                        Screen.SIGN_UP,
                        view -> view),
                "verify",
                new HostedForm(auth.email()::verify, Quota.CODE, List.of("email", "code"), Screen.VERIFY, view -> view),
                "resend",
                new HostedForm(
                        auth.email()::resendCode,
                        Quota.CODE,
                        List.of("email"),
                        Screen.VERIFY,
                        view -> view.withNotice("notice.sent")),
                "forgot-password",
                new HostedForm(
                        auth.password()::forgot,
                        Quota.CODE,
                        List.of("email"),
                        Screen.FORGOT_PASSWORD,
                        view -> View.of(Screen.RESET_PASSWORD).withNotice("notice.sent")),
                "reset-password",
                new HostedForm(
                        auth.password()::reset,
                        Quota.CODE,
                        List.of("email", "code", "password"),
                        Screen.RESET_PASSWORD,
                        view -> View.of(Screen.SIGN_IN).withNotice("notice.reset")),
                "second-factor",
                new HostedForm(
                        auth.signIn()::verifyMfa,
                        Quota.SIGN_IN,
                        List.of("mfaToken", "code"),
                        Screen.SECOND_FACTOR,
                        view -> view),
                "email-code",
                new HostedForm(
                        passwordless::sendEmailOtp,
                        Quota.CODE,
                        List.of("email"),
                        Screen.EMAIL_CODE,
                        view -> View.of(Screen.ENTER_EMAIL_CODE).withNotice("notice.sent")),
                "enter-email-code",
                new HostedForm(
                        passwordless::verify,
                        Quota.CODE,
                        List.of("email", "code"),
                        Screen.ENTER_EMAIL_CODE,
                        view -> view)));
        forms.put(
                "set-up-factor",
                new HostedForm(
                        factors::verifyTotpSetup,
                        Quota.SIGN_IN,
                        List.of("mfaToken", "code"),
                        Screen.SET_UP_FACTOR,
                        view -> view));
        forms.put(
                "sms-code",
                new HostedForm(
                        phones::requestSmsOtp,
                        Quota.CODE,
                        List.of("phone"),
                        Screen.SMS_CODE,
                        view -> View.of(Screen.ENTER_SMS_CODE)
                                .with("phone", view.phone())
                                .withNotice("notice.sms-sent")));
        forms.put(
                "enter-sms-code",
                new HostedForm(
                        passwordless::verify,
                        Quota.CODE,
                        List.of("phone", "code"),
                        Screen.ENTER_SMS_CODE,
                        view -> view));
        forms.put(
                "passkey",
                new HostedForm(
                        passkeys::finishSignIn,
                        Quota.SIGN_IN,
                        List.of("authenticatorData", "clientDataJSON", "signature", "userHandle"),
                        Screen.PASSKEY,
                        view -> view));
        forms.put(
                "magic-link",
                new HostedForm(
                        passwordless::sendLinkToPage,
                        Quota.CODE,
                        List.of("email"),
                        Screen.MAGIC_LINK,
                        view -> View.of(Screen.LINK_SENT)));
        forms.put(
                LINK,
                new HostedForm(
                        passwordless::verifyLinkOfPage,
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
        if (form == null) {
            throw ApiException.notFound("There is nothing at this path.");
        }
        var entered = Form.of(ctx);
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
                return show(visit, HostedAnswerHandler.again(ErrorStatus.FORBIDDEN));
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
                .compose(answer -> answers.answered(visit, form.next(), view, answer))
                .recover(failure -> failure instanceof ApiException refused
                        ? answers.refused(ctx, visit, view, refused)
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

    private Future<Reply> show(HostedVisit visit, View view) {
        return Future.succeededFuture(pages.show(visit, view));
    }
}
