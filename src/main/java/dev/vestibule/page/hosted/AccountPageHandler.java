package dev.vestibule.page.hosted;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.PageVisitors;
import dev.vestibule.authentication.factor.FactorHandler;
import dev.vestibule.authentication.oauth.LinkedProviderHandler;
import dev.vestibule.authentication.oauth.PageSignIn.Browser;
import dev.vestibule.authentication.oauth.PageSignIn.Offer;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.server.Authorizations.Person;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The account of the person who is signed in in the browser, {@code /p/:slug/account/}. Each of its forms stands for an
 * operation of the API and is read by that operation's own handler, as if the person's application had called it with
 * an access token of the browser's session.
 */
public final class AccountPageHandler {
    private static final int OK = 200;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String FROM_PROVIDER = "account/from-provider?";

    private final PageVisitors visitors;
    private final HostedRequests requests;
    private final HostedVisits visits;
    private final BrowserSessions browsers;
    private final HostedPages pages;
    private final AccountOperationHandler operations;
    private final FactorHandler factors;
    private final LinkedProviderHandler linked;

    AccountPageHandler(
            PageVisitors visitors,
            HostedRequests requests,
            HostedVisits visits,
            BrowserSessions browsers,
            HostedPages pages,
            AccountOperationHandler operations,
            FactorHandler factors,
            LinkedProviderHandler linked) {
        this.visitors = visitors;
        this.requests = requests;
        this.visits = visits;
        this.browsers = browsers;
        this.pages = pages;
        this.operations = operations;
        this.factors = factors;
        this.linked = linked;
    }

    private interface Serve {
        Future<Reply> serve(HostedVisit visit, Person person);
    }

    /** {@code GET /p/:slug/account}: the page's links are relative to its folder. */
    public Future<Reply> enter(ApiRequest request) {
        return Future.succeededFuture(Reply.redirect("./account/"));
    }

    /** {@code GET /p/:slug/account/:form}: the address of a form, which somebody has loaded again. */
    public Future<Reply> leaveForm(ApiRequest request) {
        return Future.succeededFuture(Reply.redirect("./"));
    }

    /** {@code GET /p/:slug/account/}: the account, or the way to sign in. */
    public Future<Reply> show(ApiRequest request) {
        return withPerson(
                request,
                (visit, person) -> operations
                        .read(request)
                        .map(parts -> pages.account(
                                visit, Screen.ACCOUNT, OK, model(visit, person, parts, Map.of()), done(request), "")));
    }

    /** What the person has just done, as the phrase of a notice; anybody can put a name in the URL, but no words. */
    private static String done(ApiRequest request) {
        return Optional.ofNullable(request.queryParams().get("done"))
                .flatMap(AccountForm::of)
                .map(form -> "account.done." + form.text())
                .orElse("");
    }

    /** {@code GET /p/:slug/account/export}: what the page shows, as a file. */
    public Future<Reply> export(ApiRequest request) {
        return withPerson(
                request,
                (visit, person) -> operations
                        .read(request)
                        .map(parts -> new Reply(
                                OK,
                                Json.encode(parts),
                                Map.of(
                                        "Content-Type",
                                        "application/json",
                                        "Content-Disposition",
                                        "attachment; filename=\"account.json\"",
                                        "Cache-Control",
                                        "no-store"))));
    }

    /** {@code POST /p/:slug/account/:form}: a change of the account. */
    public Future<Reply> submit(ApiRequest request) {
        var entered = request.form();
        var form = AccountForm.of(request.pathParam("form")).orElseThrow(HostedVisits::nothingHere);
        return withPerson(
                request,
                (visit, person) -> visits.isOurForm(request, visit, entered)
                        ? run(request, visit, person, form, entered)
                                .recover(failure -> failure instanceof ApiException refused
                                        ? refused(request, visit, person, form, entered, refused)
                                        : Future.failedFuture(failure))
                        : again(request, visit, person, ErrorStatus.FORBIDDEN, "problem.stale", Map.of()));
    }

    /** {@code POST /p/:slug/account/sign-in}: the person wants to prove once more who they are. */
    public Future<Reply> signInAgain(ApiRequest request) {
        var entered = request.form();
        return withPerson(
                request,
                (visit, person) -> Future.succeededFuture(
                        visits.isOurForm(request, visit, entered) ? toSignIn(visit, true) : Reply.redirect("./")));
    }

    /** Serves the person whom the browser knows, and sends everybody else to the page to sign in. */
    private Future<Reply> withPerson(ApiRequest request, Serve serve) {
        return visits.require(request)
                .compose(known -> visits.serve(
                        request,
                        known,
                        visit -> browsers.person(request, visit.project()).compose(person -> {
                            if (person.isEmpty()) {
                                return Future.succeededFuture(toSignIn(visit, false));
                            }
                            visitors.signIn(
                                    request,
                                    person.get().user(),
                                    person.get().session(),
                                    person.get().authentication());
                            return serve.serve(
                                    visits.ofSession(visit, person.get().session()), person.get());
                        })));
    }

    private Reply toSignIn(HostedVisit visit, boolean fresh) {
        return Reply.redirect("../?request=" + requests.forAccount(visit, fresh));
    }

    private Future<Reply> run(
            ApiRequest request, HostedVisit visit, Person person, AccountForm form, MultiMap entered) {
        return Future.succeededFuture().compose(ready -> {
            form.quota().ifPresent(quota -> visitors.count(request, quota));
            form.nameItem(request, entered);
            return switch (form) {
                case FACTOR ->
                    factors.setUpTotpOnAccountPage(request)
                            .map(setUp -> factor(visit, FactorSetUp.of("", setUp), OK, ""));
                case PROVIDER_LINKED ->
                    linked.beginOnPage(request, requests.page(visit.project()) + FROM_PROVIDER, browser(request, visit))
                            .map(url -> pages.leaveAccount(visit, url.toString()));
                case SIGN_OUT ->
                    browsers.end(request, visit.project().id(), Optional.of(person))
                            .map(ended -> left(visit, Screen.SIGNED_OUT));
                default -> {
                    request.replaceBody(form.body(entered));
                    yield operations.run(request, form).compose(reply -> after(request, visit, form, entered, reply));
                }
            };
        });
    }

    private Future<Reply> after(
            ApiRequest request, HostedVisit visit, AccountForm form, MultiMap entered, Reply reply) {
        return switch (form) {
            case EMAIL ->
                Future.succeededFuture(pages.account(
                        visit,
                        Screen.ACCOUNT_EMAIL,
                        OK,
                        Map.of("to", Form.value(entered, "email")),
                        "notice.verify",
                        ""));
            case PHONE ->
                Future.succeededFuture(pages.account(
                        visit, Screen.ACCOUNT_PHONE, OK, Map.of("to", phone(entered)), "notice.sms-sent", ""));
            case FACTOR_CODE ->
                Future.succeededFuture(visits.setUp(visit, Form.value(entered, "setUp"))
                        .map(setUp -> pages.backupCodes(visit, setUp.backupCodes()))
                        .orElseGet(() -> done(form)));
            case BACKUP_CODES -> Future.succeededFuture(pages.backupCodes(visit, backupCodes(reply)));
            case DELETE ->
                browsers.end(request, visit.project().id(), Optional.empty())
                        .map(ended -> left(visit, Screen.ACCOUNT_DELETED));
            case PASSKEY_OPTIONS -> Future.succeededFuture(reply.withHeader("Cache-Control", "no-store"));
            default -> Future.succeededFuture(done(form));
        };
    }

    private Reply left(HostedVisit visit, Screen screen) {
        return pages.account(visit, screen, OK, Map.of(), "", "");
    }

    /**
     * {@code GET /p/:slug/account/from-provider}: links a provider, in the browser of the person who began it. A HEAD
     * request does not use that up, nor does a request that no person sees.
     */
    public Future<Reply> returnFromProvider(ApiRequest request) {
        return withPerson(
                request,
                (visit, person) -> Future.succeededFuture()
                        .compose(ready -> HostedEntrance.isSeen(request)
                                ? linked.finishOnPage(request, browser(request, visit))
                                : Future.succeededFuture(false))
                        .compose(linked -> linked
                                ? Future.succeededFuture(done(AccountForm.PROVIDER_LINKED))
                                : again(request, visit, person, ErrorStatus.BAD_REQUEST, "problem.stale", Map.of()))
                        .recover(failure -> failure instanceof ApiException refused
                                ? refused(
                                        request,
                                        visit,
                                        person,
                                        AccountForm.PROVIDER_LINKED,
                                        MultiMap.caseInsensitiveMultiMap(),
                                        refused)
                                : Future.failedFuture(failure)));
    }

    private static String phone(MultiMap entered) {
        return Form.value(entered, "phone");
    }

    private static Browser browser(ApiRequest request, HostedVisit visit) {
        return new Browser(visit.proof().cookie(), request.device());
    }

    /** A reload must not send the form again. */
    private static Reply done(AccountForm form) {
        return Reply.redirect("./?done=" + form.text());
    }

    private Reply factor(HostedVisit visit, FactorSetUp setUp, int status, String problem) {
        return pages.account(visit, Screen.ACCOUNT_FACTOR, status, pages.setUp(visit, setUp), "", problem);
    }

    private Future<Reply> refused(
            ApiRequest request,
            HostedVisit visit,
            Person person,
            AccountForm form,
            MultiMap entered,
            ApiException refused) {
        if (refused.status() == ErrorStatus.INTERNAL) {
            return Future.failedFuture(refused);
        }
        var problem = refused.code() == ErrorCode.REAUTHENTICATION_REQUIRED
                ? reauthentication(visit, person)
                : problem(form, refused);
        var status = HostedPages.shown(refused.status());
        if ((form == AccountForm.EMAIL_CODE || form == AccountForm.PHONE_CODE)
                && refused.code() != ErrorCode.REAUTHENTICATION_REQUIRED) {
            var screen = form == AccountForm.EMAIL_CODE ? Screen.ACCOUNT_EMAIL : Screen.ACCOUNT_PHONE;
            return Future.succeededFuture(
                    pages.account(visit, screen, status.code(), Map.of("to", phone(entered)), "", problem));
        }
        var setUp = form == AccountForm.FACTOR_CODE
                ? visits.setUp(visit, Form.value(entered, "setUp"))
                : Optional.<FactorSetUp>empty();
        return setUp.isPresent() && refused.code() != ErrorCode.REAUTHENTICATION_REQUIRED
                ? Future.succeededFuture(factor(visit, setUp.get(), status.code(), problem))
                : again(
                        request,
                        visit,
                        person,
                        status,
                        problem,
                        Form.values(entered, "displayName", "avatarUrl", "email", "phone"));
    }

    /**
     * The page with what was refused; or the way to sign in, if that was because the session has ended.
     *
     * @param typed what was entered in the fields of the form, by their names
     */
    private Future<Reply> again(
            ApiRequest request,
            HostedVisit visit,
            Person person,
            ErrorStatus status,
            String problem,
            Map<String, String> typed) {
        return browsers.person(request, visit.project())
                .compose(still -> still.isEmpty()
                        ? Future.succeededFuture(toSignIn(visit, false))
                        : operations
                                .read(request)
                                .map(parts -> pages.account(
                                        visit,
                                        Screen.ACCOUNT,
                                        status.code(),
                                        model(visit, person, parts, typed),
                                        "",
                                        problem)));
    }

    /** However recent, a sign in with one factor is not enough for an account that has a second one by now. */
    private static String reauthentication(HostedVisit visit, Person person) {
        return person.user().hasSecondFactor(visit.project())
                        && !person.authentication().isMultiFactor()
                ? "account.problem.second-factor"
                : "account.problem.recent";
    }

    private static String problem(AccountForm form, ApiException refused) {
        return switch (refused.code()) {
            case WRONG_PASSWORD, WRONG_CREDENTIALS -> "account.problem.password";
            case WRONG_CODE, WRONG_SETUP_CODE, TOO_MANY_WRONG_CODES -> "problem.wrong-code";
            case LAST_SIGN_IN_METHOD, LAST_SECOND_FACTOR -> "account.problem.last";
            case LAST_OWNER -> "account.problem.last-owner";
            case EMAIL_TAKEN -> "account.problem.taken";
            case PHONE_TAKEN -> "account.problem.phone-taken";
            case LIMIT_REACHED -> form == AccountForm.ORGANIZATION_JOINED ? "account.problem.full" : "problem.other";
            case IDENTITY_TAKEN -> "account.problem.linked-elsewhere";
            case CANCELLED -> "problem.provider-cancelled";
            case PROVIDER_NOT_ENABLED -> "problem.provider-off";
            case INVALID_FIELDS -> ofField(form, refused);
            default ->
                switch (refused.status()) {
                    case BAD_GATEWAY -> "problem.provider-failed";
                    case TOO_MANY_REQUESTS -> "problem.too-many";
                    case UNAVAILABLE -> "problem.busy";
                    default -> form == AccountForm.PASSKEY_ADDED ? "account.problem.passkey" : "problem.other";
                };
        };
    }

    private static String ofField(AccountForm form, ApiException refused) {
        var field = refused.details().isEmpty() ? "" : refused.details().get(0).field();
        return switch (field) {
            case "newPassword" -> "problem.password";
            case "currentPassword" -> "account.problem.password";
            case "avatarUrl" -> "account.problem.picture";
            case "email", "code", "displayName", "phone" -> "problem." + field;
            default ->
                switch (form) {
                    case PASSKEY_NAME -> "problem.displayName";
                    case PASSKEY_ADDED -> "account.problem.passkey";
                    default -> "problem.other";
                };
        };
    }

    /** The codes in the response to {@link AccountForm#BACKUP_CODES}. */
    private static List<String> backupCodes(Reply reply) {
        return MAPPER.convertValue(Json.parse(reply.body()).path("backupCodes"), new TypeReference<List<String>>() {});
    }

    /** The parts of the account, with moments as people read them. */
    private Map<String, Object> model(
            HostedVisit visit, Person person, Map<String, Object> parts, Map<String, String> typed) {
        var project = visit.project();
        var model = new HashMap<>(parts);
        model.put("typed", typed);
        model.putIfAbsent("passkeys", List.of());
        model.putIfAbsent("wallets", List.of());
        model.put(
                "picture",
                Picture.of(person.user().avatarUrl()).map(Picture::url).orElse(""));
        model.put("hasPhone", visit.offered().smsCodes());
        model.put("hasPasskeys", project.factors().passkeys().enabled());
        model.put("hasTotp", project.factors().totp());
        model.put("canDelete", project.allowSelfDeletion());
        model.put("hasPassword", project.factors().password() && person.user().email() != null);
        model.put("date", new Dates(visit.language().text()));
        var titles = visit.offered().providers().stream().collect(Collectors.toMap(Offer::name, Offer::title));
        var linked = linked(parts, titles);
        model.put("links", linked);
        model.put(
                "linkable",
                visit.offered().providers().stream()
                        .filter(offer ->
                                linked.stream().noneMatch(link -> offer.name().equals(link.get("provider"))))
                        .map(offer -> Map.of("provider", offer.name(), "title", offer.title()))
                        .toList());
        return model;
    }

    /** The linked providers with the names that people know. */
    private static List<Map<String, Object>> linked(Map<String, Object> parts, Map<String, String> titles) {
        var found = MAPPER.convertValue(parts.get("linked"), Linked.class).providers();
        found.forEach(link -> {
            var name = String.valueOf(link.get("provider"));
            link.put(
                    "title",
                    Optional.ofNullable(titles.get(name))
                            .or(() -> Provider.find(name).map(Provider::title))
                            .orElse(""));
        });
        return found;
    }

    private record Linked(List<Map<String, Object>> providers, int total) {}
}
