package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.PageVisitors;
import dev.vestibule.authentication.oauth.OauthModule;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.user.organization.OrganizationHandler;
import dev.vestibule.user.organization.OrganizationModule;
import dev.vestibule.user.organization.directory.DirectoryHandler;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a customer's own administrator sets up single sign-on, {@code /p/:slug/setup/}, with the setup link of their
 * organization and without an account. Each form stands for an operation of the API and is read by that operation's own
 * handler, for this organization alone.
 */
public final class SetupPageHandler {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int MAX_TOKEN = 100;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final PageVisitors visitors;
    private final HostedVisits visits;
    private final HostedPages pages;
    private final OrganizationModule organizations;
    private final DirectoryHandler directories;
    private final OauthModule oauth;
    private final URI publicUrl;

    SetupPageHandler(
            PageVisitors visitors,
            HostedVisits visits,
            HostedPages pages,
            OrganizationModule organizations,
            DirectoryHandler directories,
            OauthModule oauth,
            URI publicUrl) {
        this.visitors = visitors;
        this.visits = visits;
        this.pages = pages;
        this.organizations = organizations;
        this.directories = directories;
        this.oauth = oauth;
        this.publicUrl = publicUrl;
    }

    private interface Serve {
        Future<Reply> serve(HostedVisit visit, String token);
    }

    /** {@code GET /p/:slug/setup/}: what is set up, and what is left to do. */
    public Future<Reply> show(ApiRequest request) {
        return withLink(
                request,
                request.queryParams().get("token"),
                (visit, token) -> page(request, visit, token, Outcome.done(done(request))));
    }

    /** What the visitor has just done, as the phrase of a notice; anybody can put a name in the URL, but no words. */
    private static String done(ApiRequest request) {
        return Optional.ofNullable(request.queryParams().get("done"))
                .flatMap(SetupForm::of)
                .map(SetupPageHandler::done)
                .orElse("");
    }

    private static String done(SetupForm form) {
        return "setup.done." + form.text();
    }

    /** {@code GET /p/:slug/setup/:form}: the address of a form, which somebody has loaded again. */
    public Future<Reply> leaveForm(ApiRequest request) {
        return withLink(request, null, (visit, token) -> Future.succeededFuture(over(visit)));
    }

    /** {@code POST /p/:slug/setup/:form}: a change. */
    public Future<Reply> submit(ApiRequest request) {
        var entered = request.form();
        var form = SetupForm.of(request.pathParam("form")).orElseThrow(HostedVisits::nothingHere);
        return withLink(
                request,
                entered.get("token"),
                (visit, token) -> visits.isOurForm(request, visit, entered)
                        ? run(request, visit, token, form, entered)
                                .map(opened -> opened.orElseGet(() -> done(form, token)))
                                .recover(failure -> failure instanceof ApiException refused
                                                && refused.status() != ErrorStatus.INTERNAL
                                        ? page(
                                                request,
                                                visit,
                                                token,
                                                Outcome.refused(
                                                        HostedPages.shown(refused.status())
                                                                .code(),
                                                        problem(form, refused),
                                                        typed(form, entered)))
                                        : Future.failedFuture(failure))
                        : page(
                                request,
                                visit,
                                token,
                                Outcome.refused(ErrorStatus.FORBIDDEN.code(), "problem.stale", typed(form, entered))));
    }

    /** What the form still has when it is shown again: everything but the secret. */
    private static Map<String, String> typed(SetupForm form, MultiMap entered) {
        return form == SetupForm.DIRECTORY_CREATED
                ? Map.of("directoryName", Form.value(entered, "name"))
                : Form.values(entered, "domain", "name", "issuer", "clientId");
    }

    /** Serves who has the link of an organization; everybody else learns that there is no such link. */
    private Future<Reply> withLink(ApiRequest request, @Nullable String token, Serve serve) {
        return visits.require(request)
                .compose(known -> visits.serve(
                        request,
                        known,
                        visit -> token == null || token.length() > MAX_TOKEN
                                ? Future.succeededFuture(over(visit))
                                : organizations
                                        .setupLinks
                                        .find(visit.project(), token)
                                        .compose(found -> {
                                            if (found.isEmpty()) {
                                                return Future.succeededFuture(over(visit));
                                            }
                                            visitors.setUp(
                                                    request,
                                                    found.get().organization().value(),
                                                    found.get().maker());
                                            return serve.serve(visit, token);
                                        })));
    }

    private Reply over(HostedVisit visit) {
        return pages.account(visit, Screen.SETUP_OVER, NOT_FOUND, Map.of(), "", "");
    }

    /** A reload must not send the form again. */
    private static Reply done(SetupForm form, String token) {
        return Reply.redirect("./?token=" + token + "&done=" + form.text());
    }

    /** Does what the form stands for; with a page of its own if there is one. */
    private Future<Optional<Reply>> run(
            ApiRequest request, HostedVisit visit, String token, SetupForm form, MultiMap entered) {
        return Future.succeededFuture().compose(ready -> {
            visitors.count(request, form.quota());
            form.nameItem(request, entered);
            if (form == SetupForm.CONNECTION_TRIED) {
                return tryOut(request, visit);
            }
            request.replaceBody(form.body(entered));
            return form == SetupForm.DIRECTORY_CREATED || form == SetupForm.TOKEN_CREATED
                    ? operate(request, form)
                            .compose(made -> page(request, visit, token, Outcome.made(done(form), made)))
                            .map(Optional::of)
                    : operate(request, form).map(Optional.empty());
        });
    }

    private Future<Reply> operate(ApiRequest request, SetupForm form) {
        var domains = organizations.domains;
        var connections = organizations.connections;
        return switch (form) {
            case DOMAIN_ADDED -> domains.add(request);
            case DOMAIN_VERIFIED -> domains.verify(request);
            case DOMAIN_POLICY -> domains.update(request);
            case DOMAIN_REMOVED -> domains.remove(request);
            case CONNECTION_ADDED -> connections.add(request);
            case CONNECTION_ON, CONNECTION_OFF -> connections.update(request);
            case CONNECTION_REMOVED -> connections.remove(request);
            case DIRECTORY_CREATED -> directories.create(request);
            case DIRECTORY_ON, DIRECTORY_OFF -> directories.update(request);
            case DIRECTORY_REMOVED -> directories.delete(request);
            case TOKEN_CREATED -> directories.addToken(request);
            case TOKEN_WITHDRAWN -> directories.revokeToken(request);
            case CONNECTION_TRIED -> throw new IllegalArgumentException(form + " leaves the page");
        };
    }

    /** Only a connection of this organization: the operation takes any provider of the project. */
    private Future<Optional<Reply>> tryOut(ApiRequest request, HostedVisit visit) {
        return connections(request).compose(own -> {
            if (own.stream().noneMatch(one -> one.path("provider").asText().equals(request.pathParam("provider")))) {
                throw ApiException.of(ErrorCode.NOT_FOUND, "The organization has no such connection.");
            }
            return oauth.trials
                    .begin(request)
                    .map(begun -> Json.parseOwn(begun.body()).path("url"))
                    .map(url -> url.isTextual()
                            ? Optional.of(pages.leaveAccount(visit, url.textValue()))
                            : Optional.empty());
        });
    }

    private Future<List<JsonNode>> connections(ApiRequest request) {
        return organizations.connections.list(request).map(SetupPageHandler::items);
    }

    private static List<JsonNode> items(Reply reply) {
        var items = new ArrayList<JsonNode>();
        Json.parseOwn(reply.body()).forEach(items::add);
        return items;
    }

    /**
     * The outcome of a form.
     *
     * @param made a token that is shown only this once, and the address to use it at if that is new too; empty if there
     *     is none
     * @param typed what was entered in the fields of a form that was refused, by their names
     */
    private record Outcome(
            int status, String notice, String problem, Map<String, String> made, Map<String, String> typed) {
        static Outcome done(String notice) {
            return new Outcome(OK, notice, "", Map.of(), Map.of());
        }

        static Outcome refused(int status, String problem, Map<String, String> typed) {
            return new Outcome(status, "", problem, Map.of(), typed);
        }

        static Outcome made(String notice, Reply created) {
            var fields = Json.parseOwn(created.body());
            return new Outcome(
                    OK,
                    notice,
                    "",
                    Map.of(
                            "token", fields.path("token").asText(),
                            "baseUrl", fields.path("baseUrl").asText()),
                    Map.of());
        }

        /** Leaves out the token, so that it never reaches a log. */
        @Override
        public String toString() {
            return "Outcome[" + notice + problem + "]";
        }
    }

    private Future<Reply> page(ApiRequest request, HostedVisit visit, String token, Outcome outcome) {
        var model = new HashMap<String, Object>();
        model.put("token", token);
        model.put("callback", publicUrl + "/v1/auth/oauth/redirect/" + OrganizationHandler.id(request));
        model.put("made", outcome.made());
        model.put("typed", outcome.typed());
        model.put("date", new Dates(visit.language().text()));
        return organizations
                .operations
                .get(request)
                .compose(organization -> {
                    model.put("organization", plain(Json.parseOwn(organization.body())));
                    return organizations.domains.list(request);
                })
                .compose(domains -> {
                    model.put("domains", plain(Json.parseOwn(domains.body())));
                    return connections(request);
                })
                .compose(connections -> withTrials(request, connections))
                .compose(connections -> {
                    model.put("connections", connections);
                    return directories.list(request);
                })
                .map(found -> {
                    model.put("directories", plain(Json.parseOwn(found.body())));
                    return pages.account(
                            visit, Screen.SETUP, outcome.status(), model, outcome.notice(), outcome.problem());
                });
    }

    private static Object plain(JsonNode json) {
        return MAPPER.convertValue(json, Object.class);
    }

    /** The connections, each with the outcome of its last test. */
    private Future<List<Object>> withTrials(ApiRequest request, List<JsonNode> connections) {
        var all = connections.stream()
                .map(connection -> {
                    request.replacePathParam(
                            "provider", connection.path("provider").asText());
                    return oauth.trials
                            .get(request)
                            .map(trial ->
                                    Map.of("settings", plain(connection), "trial", plain(Json.parseOwn(trial.body()))))
                            .recover(failure ->
                                    failure instanceof ApiException none && none.code() == ErrorCode.NOT_FOUND
                                            ? Future.succeededFuture(Map.of(
                                                    "settings", plain(connection), "trial", Map.of("status", "none")))
                                            : Future.failedFuture(failure));
                })
                .toList();
        return Future.join(all).map(done -> done.list());
    }

    private static String problem(SetupForm form, ApiException refused) {
        return switch (refused.code()) {
            case DOMAIN_NOT_PROVEN -> "setup.problem.no-record";
            case NAME_TAKEN -> "setup.problem.domain-taken";
            case CONNECTION_REQUIRED -> "setup.problem.connection-required";
            case LIMIT_REACHED -> "setup.problem.limit";
            case INVALID_FIELDS -> form == SetupForm.DIRECTORY_CREATED ? "problem.displayName" : ofField(refused);
            default ->
                switch (refused.status()) {
                    case TOO_MANY_REQUESTS -> "problem.too-many";
                    case UNAVAILABLE -> "problem.busy";
                    default -> "problem.other";
                };
        };
    }

    private static String ofField(ApiException refused) {
        var field = refused.details().isEmpty() ? "" : refused.details().get(0).field();
        return switch (field) {
            case "domain", "issuer", "name", "clientId", "clientSecret" -> "setup.problem." + field;
            default -> "problem.other";
        };
    }
}
