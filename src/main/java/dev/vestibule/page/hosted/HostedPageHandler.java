package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.PageVisitors;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.AuthenticationHandlers;
import dev.vestibule.authentication.factor.FactorHandler;
import dev.vestibule.authentication.oauth.PageSignIn;
import dev.vestibule.authentication.oauth.PageSignIn.Browser;
import dev.vestibule.authentication.oauth.PageSignIn.ReturnedSignIn;
import dev.vestibule.authentication.passkey.PasskeyHandler;
import dev.vestibule.authentication.passwordless.PasswordlessHandler;
import dev.vestibule.authentication.phone.PhoneHandler;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.Body;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import dev.vestibule.limits.Quota;
import dev.vestibule.page.hosted.HostedPages.View;
import dev.vestibule.project.Language;
import dev.vestibule.project.branding.BrandingStore;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.EnrolmentRequired;
import dev.vestibule.token.SignInResult.FactorRequired;
import dev.vestibule.token.SignInResult.Refused;
import dev.vestibule.token.SignInResult.VerificationRequired;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The hosted page of a project, {@code /p/:slug/}: the operations for browsers, one method per operation. */
public final class HostedPageHandler {
    private static final int SLASHES_OF_BARE_ADDRESS = 2;

    /** The API's ways to sign in that the page has forms and buttons for. */
    public record WaysIn(
            AuthenticationHandlers authentication,
            PasswordlessHandler passwordless,
            FactorHandler factors,
            PhoneHandler phones,
            PasskeyHandler passkeys,
            PageSignIn providers) {}

    private final Database database;
    private final PageVisitors visitors;
    private final WaysIn ways;
    private final HostedVisits visits;
    private final HostedAnswers answers;
    private final HostedPages pages;
    private final DeviceReader devices;
    private final URI publicUrl;
    private final HostedStyle style = new HostedStyle();
    private final BrandingStore brandings = new BrandingStore();

    HostedPageHandler(
            Database database,
            PageVisitors visitors,
            WaysIn ways,
            HostedVisits visits,
            HostedAnswers answers,
            HostedPages pages,
            DeviceReader devices,
            URI publicUrl) {
        this.database = database;
        this.visitors = visitors;
        this.ways = ways;
        this.visits = visits;
        this.answers = answers;
        this.pages = pages;
        this.devices = devices;
        this.publicUrl = publicUrl;
    }

    /** {@code GET /p/:slug/}: the page with the requested screen. */
    public Future<Reply> show(RoutingContext ctx) {
        return withVisit(
                ctx,
                ctx.queryParams().get("request"),
                visit -> show(
                        visit,
                        View.of(Optional.ofNullable(ctx.queryParams().get("screen"))
                                        .flatMap(Screen::entry)
                                        .or(() -> visit.request().map(HostedRequest::screen))
                                        .orElse(Screen.SIGN_IN))
                                .withEmail(visit.request()
                                        .map(HostedRequest::email)
                                        .orElse(""))));
    }

    /** Reads the visit from the application's request in the query or form, and serves it. */
    private Future<Reply> withVisit(
            RoutingContext ctx, @Nullable String requestText, Function<HostedVisit, Future<Reply>> serve) {
        return visitors.resolveProject(ctx, ctx.pathParam("slug"))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.<HostedVisit>empty())
                        : visits.read(
                                ctx.vertx(), ctx.request(), found.get(), Objects.requireNonNullElse(requestText, "")))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(
                                pages.unknown(Language.ofHeader(ctx.request().getHeader(HttpHeaders.ACCEPT_LANGUAGE))))
                        : serve(ctx, found.get(), serve)
                                .map(reply -> reply.withHeader("Set-Cookie", visits.setCookie(found.get()))));
    }

    private Future<Reply> serve(RoutingContext ctx, HostedVisit visit, Function<HostedVisit, Future<Reply>> serve) {
        RequestLanguage.choose(ctx, visit.language());
        return visit.isExpired() ? Future.succeededFuture(pages.expired(visit)) : serve.apply(visit);
    }

    private Future<Reply> show(HostedVisit visit, View view) {
        return Future.succeededFuture(pages.show(visit, view));
    }

    /**
     * {@code GET /p/:slug} and {@code GET /p/:slug/:form}: redirects to the page, since its links are relative to its
     * folder.
     */
    public Future<Reply> enter(RoutingContext ctx) {
        var slug = URLEncoder.encode(ctx.pathParam("slug"), StandardCharsets.UTF_8);
        var isForm =
                ctx.normalizedPath().chars().filter(letter -> letter == '/').count() > SLASHES_OF_BARE_ADDRESS;
        return Future.succeededFuture(Reply.redirect(isForm ? "./" : "./" + slug + "/"));
    }

    /** {@code GET /p/:slug/style.css}: the look of the page in the colours of the project. */
    public Future<Reply> style(RoutingContext ctx) {
        return visitors.resolveProject(ctx, ctx.pathParam("slug"))
                .map(found -> found.orElseThrow(HostedPageHandler::notFound))
                .compose(project -> brandings.find(database.reads(), project.id()))
                .map(found -> style.of(found.orElseThrow(HostedPageHandler::notFound)))
                .map(css -> new Reply(
                        200,
                        Buffer.buffer(css),
                        Map.of("Content-Type", "text/css; charset=utf-8", "Cache-Control", "no-cache")));
    }

    private static ApiException notFound() {
        return ApiException.notFound("There is nothing at this path.");
    }

    /**
     * {@code GET /p/:slug/link}: the target of a link in a mail. It signs nobody in, since mail filters open links; in
     * the browser that requested the link, it shows a button that does.
     */
    public Future<Reply> showLink(RoutingContext ctx) {
        var token = Objects.requireNonNullElse(ctx.queryParams().get("token"), "");
        return withVisit(
                ctx,
                null,
                visit -> visits.requestedLink(ctx.request(), visit)
                        .map(asked -> serve(
                                ctx,
                                visits.resume(visit, asked.request()),
                                resumed -> show(
                                        resumed,
                                        View.of(Screen.LINK)
                                                .withEmail(asked.email())
                                                .with("token", token))))
                        .orElseGet(() -> show(visit, View.of(Screen.LINK_ELSEWHERE))));
    }

    /**
     * {@code POST /p/:slug/:form} and {@code POST /p/:slug/link}: the values that a person has entered on the page.
     * They go to the operation of the API, and its result decides what the browser sees next.
     */
    public Future<Reply> submit(RoutingContext ctx) {
        var name = ctx.pathParam("form");
        var form = name == null ? HostedForm.LINK : HostedForm.of(name).orElseThrow(HostedPageHandler::notFound);
        var entered = Form.of(ctx);
        return withVisit(ctx, entered.get("request"), visit -> submit(ctx, visit, form, entered));
    }

    private Future<Reply> submit(RoutingContext ctx, HostedVisit visit, HostedForm form, MultiMap entered) {
        var view = View.of(form.screen())
                .withEmail(given(entered, "email"))
                .with("displayName", given(entered, "displayName"))
                .with("mfaToken", given(entered, "mfaToken"))
                .with("phone", given(entered, "phone"));
        if (form == HostedForm.SET_UP_FACTOR) {
            var setUp = visits.setUp(visit, given(entered, "setUp"));
            if (setUp.isEmpty()) {
                return Future.succeededFuture(answers.startOver(visit, ErrorStatus.FORBIDDEN));
            }
            view = view.withSetUp(setUp.get());
            entered.set("mfaToken", setUp.get().mfaToken());
        }
        if (form == HostedForm.LINK) {
            var asked = visits.requestedLink(ctx.request(), visit);
            if (asked.isEmpty()) {
                return show(visit, View.of(Screen.LINK_ELSEWHERE));
            }
            entered.set("email", asked.get().email());
            view = view.withEmail(asked.get().email()).with("token", given(entered, "token"));
        }
        return submit(ctx, visit, form, entered, view);
    }

    private Future<Reply> submit(RoutingContext ctx, HostedVisit visit, HostedForm form, MultiMap entered, View view) {
        if (!visits.isOurForm(ctx.request(), visit, entered.get("formToken"))) {
            return show(visit, view.withProblem(ErrorStatus.FORBIDDEN.code(), "problem.stale", Map.of()));
        }
        return Future.succeededFuture()
                .compose(ready -> run(ctx, visit, form, entered))
                .compose(result ->
                        result.isEmpty() ? show(visit, form.next(view)) : after(ctx, visit, view, result.get()))
                .recover(failure -> failure instanceof ApiException refused
                        ? Future.succeededFuture(answers.refused(visit, view, refused))
                        : Future.failedFuture(failure));
    }

    private static String given(MultiMap entered, String field) {
        return Objects.requireNonNullElse(entered.get(field), "");
    }

    /** Runs the operation that the form stands for, within the limits of its own route; empty if it signs nobody in. */
    private Future<Optional<SignInResult>> run(
            RoutingContext ctx, HostedVisit visit, HostedForm form, MultiMap entered) {
        visitors.count(ctx, form.quota());
        Body.replace(ctx, form.body(entered));
        var authentication = ways.authentication();
        return switch (form) {
            case SIGN_IN -> authentication.signIn().signInOnPage(ctx).map(Optional::of);
            case SIGN_UP -> authentication.signUp().signUpOnPage(ctx).map(Optional::of);
            case SECOND_FACTOR -> authentication.signIn().verifyMfaOnPage(ctx).map(Optional::of);
            case SET_UP_FACTOR -> ways.factors().verifyTotpSetupOnPage(ctx).map(Optional::of);
            case VERIFY -> authentication.email().verifyOnPage(ctx).map(Optional::of);
            case ENTER_EMAIL_CODE, ENTER_SMS_CODE ->
                ways.passwordless().verifyCodeOnPage(ctx).map(Optional::of);
            case LINK -> ways.passwordless().verifyLinkOfPage(ctx).map(Optional::of);
            case PASSKEY -> ways.passkeys().finishSignInOnPage(ctx).map(Optional::of);
            case RESEND -> authentication.email().resendCode(ctx).map(Optional.empty());
            case FORGOT_PASSWORD -> authentication.password().forgot(ctx).map(Optional.empty());
            case RESET_PASSWORD -> authentication.password().reset(ctx).map(Optional.empty());
            case EMAIL_CODE -> ways.passwordless().sendEmailOtp(ctx).map(Optional.empty());
            case SMS_CODE -> ways.phones().requestSmsOtp(ctx).map(Optional.empty());
            case MAGIC_LINK ->
                ways.passwordless()
                        .sendLinkToPage(ctx)
                        .onSuccess(email -> ctx.response().addCookie(visits.linkCookie(visit, email)))
                        .map(Optional.empty());
        };
    }

    /** What the browser sees after a step of a sign in, with any form or provider. */
    private Future<Reply> after(RoutingContext ctx, HostedVisit visit, View view, SignInResult result) {
        if (result instanceof Completed opened) {
            return answers.signedIn(visit, view.setUp(), opened);
        }
        if (result instanceof VerificationRequired required) {
            var email = view.email().isEmpty() ? required.email() : view.email();
            return show(visit, View.of(Screen.VERIFY).withEmail(email).withNotice("notice.sent"));
        }
        if (result instanceof FactorRequired required) {
            return show(visit, View.of(Screen.SECOND_FACTOR).with("mfaToken", required.mfaToken()));
        }
        return result instanceof EnrolmentRequired required
                ? setUpFactor(ctx, visit, required.mfaToken())
                : Future.failedFuture(((Refused) result).error());
    }

    /** Continues the sign in with a second factor that the person sets up now. */
    private Future<Reply> setUpFactor(RoutingContext ctx, HostedVisit visit, String mfaToken) {
        return Future.succeededFuture()
                .compose(ready -> {
                    visitors.count(ctx, Quota.SIGN_IN);
                    return ways.factors().setUpTotpOnPage(visit.project(), mfaToken);
                })
                .map(setUp ->
                        pages.show(visit, View.of(Screen.SET_UP_FACTOR).withSetUp(FactorSetUp.of(mfaToken, setUp))))
                .recover(failure -> failure instanceof ApiException refused
                        ? Future.succeededFuture(answers.refused(visit, View.of(Screen.SIGN_IN), notSetUp(refused)))
                        : Future.failedFuture(failure));
    }

    /**
     * The project has no one-time passwords, or the account has no email and so no password: no form could fix that.
     */
    private static ApiException notSetUp(ApiException refused) {
        return refused.status() == ErrorStatus.NOT_FOUND || refused.status() == ErrorStatus.CONFLICT
                ? ApiException.forbidden(refused.message())
                : refused;
    }

    /** {@code POST /p/:slug/go-on}: sends the browser to the application after the person has seen the backup codes. */
    public Future<Reply> leaveBackupCodes(RoutingContext ctx) {
        var entered = Form.of(ctx);
        return withVisit(
                ctx,
                entered.get("request"),
                visit -> visit.request().isPresent() && visits.isOurForm(ctx.request(), visit, entered.get("formToken"))
                        ? answers.continueWith(visit, visit.request().get(), given(entered, "ticket"))
                        : Future.succeededFuture(answers.startOver(visit, ErrorStatus.FORBIDDEN)));
    }

    /**
     * {@code POST /p/:slug/passkey-challenge}: a challenge as JSON, for the page's script. The API's own route would
     * refuse the page's origin, unless it is an allowed origin of the application.
     */
    public Future<Reply> beginPasskey(RoutingContext ctx) {
        var entered = Form.of(ctx);
        return withVisit(ctx, entered.get("request"), visit -> {
            if (!visits.isOurForm(ctx.request(), visit, entered.get("formToken"))) {
                throw ApiException.forbidden("This form is too old, or does not belong to this page.");
            }
            visitors.count(ctx, Quota.OAUTH);
            Body.replace(ctx, JsonNodeFactory.instance.objectNode());
            return ways.passkeys().beginSignIn(ctx);
        });
    }

    /** {@code POST /p/:slug/provider}: begins a sign in with a provider, and sends the browser there. */
    public Future<Reply> leaveForProvider(RoutingContext ctx) {
        var entered = Form.of(ctx);
        var provider = given(entered, "provider");
        return withVisit(
                ctx,
                entered.get("request"),
                visit -> visits.isOurForm(ctx.request(), visit, entered.get("formToken"))
                        ? leaveForProvider(ctx, visit, provider)
                        : show(
                                visit,
                                View.of(Screen.SIGN_IN)
                                        .withProblem(ErrorStatus.FORBIDDEN.code(), "problem.stale", Map.of())));
    }

    private Future<Reply> leaveForProvider(RoutingContext ctx, HostedVisit visit, String provider) {
        return Future.succeededFuture()
                .compose(ready -> {
                    visitors.count(ctx, Quota.OAUTH);
                    return ways.providers()
                            .start(
                                    visit.project(),
                                    provider,
                                    publicUrl + "/p/" + visit.project().slug() + "/from-provider",
                                    visit.requestText(),
                                    browser(ctx, visit));
                })
                .map(url -> pages.leave(visit, url.toString()))
                .recover(failure -> refusedOfProvider(visit, failure));
    }

    private Browser browser(RoutingContext ctx, HostedVisit visit) {
        return new Browser(visit.cookie(), devices.read(ctx));
    }

    private Future<Reply> refusedOfProvider(HostedVisit visit, Throwable failure) {
        return failure instanceof ApiException refused
                ? Future.succeededFuture(answers.refusedOfProvider(visit, refused))
                : Future.failedFuture(failure);
    }

    /**
     * {@code GET /p/:slug/from-provider}: completes a sign in with a provider in the browser that started it, like any
     * other sign in on the page. A HEAD request does not use up the sign in, nor does a request that no person sees.
     */
    public Future<Reply> returnFromProvider(RoutingContext ctx) {
        var destination = ctx.request().getHeader("Sec-Fetch-Dest");
        var isSeen = (destination == null || destination.equals("document"))
                && !ctx.request().method().equals(HttpMethod.HEAD);
        return withVisit(
                ctx,
                null,
                visit -> isSeen
                        ? ways.providers()
                                .finish(visit.project(), ctx.queryParams(), browser(ctx, visit))
                                .compose(ended -> ended.isEmpty()
                                        ? Future.succeededFuture(pages.stale(visit))
                                        : serve(
                                                ctx,
                                                visits.resume(visit, ended.get().resume()),
                                                resumed -> conclude(ctx, resumed, ended.get())))
                        : Future.succeededFuture(pages.stale(visit)));
    }

    private Future<Reply> conclude(RoutingContext ctx, HostedVisit visit, ReturnedSignIn ended) {
        return ended.result()
                .apply(visit.language())
                .compose(result -> after(ctx, visit, View.of(Screen.SIGN_IN), result))
                .recover(failure -> refusedOfProvider(visit, failure));
    }
}
