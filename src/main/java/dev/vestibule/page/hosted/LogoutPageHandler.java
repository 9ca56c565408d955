package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.server.Authorizations.Person;
import dev.vestibule.oauth.server.Logouts;
import dev.vestibule.oauth.server.Logouts.Read;
import dev.vestibule.page.hosted.HostedPages.View;
import dev.vestibule.project.Language;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Signs people out of the browser's session for a client. It asks them first unless the client shows an ID token of
 * that very session, since any other site could send the browser here.
 */
public final class LogoutPageHandler {
    private static final Duration LIFETIME = Duration.ofMinutes(10);

    /** What can be wrong with a request, as the page's URL says. */
    private static final Set<String> PARAMETERS =
            Set.of("id_token_hint", "client_id", "post_logout_redirect_uri", "request");

    private final Logouts logouts;
    private final HostedEntrance entrance;
    private final HostedRequests requests;
    private final HostedVisits visits;
    private final BrowserSessions browsers;
    private final HostedPages pages;
    private final Clock clock;

    LogoutPageHandler(
            Logouts logouts,
            HostedEntrance entrance,
            HostedRequests requests,
            HostedVisits visits,
            BrowserSessions browsers,
            HostedPages pages,
            Clock clock) {
        this.logouts = logouts;
        this.entrance = entrance;
        this.requests = requests;
        this.visits = visits;
        this.browsers = browsers;
        this.pages = pages;
        this.clock = clock;
    }

    /**
     * {@code GET /v1/projects/:projectId/oauth/logout} and the same with POST: a client asks to sign the person out
     * (OpenID Connect RP-Initiated Logout 1.0). Checks the request, and sends the browser to the page, which a POST of
     * another site would reach without cookies.
     */
    public Future<Reply> begin(ApiRequest request) {
        var project = request.project();
        var isPost = request.http().method().equals(HttpMethod.POST);
        var page = requests.page(project) + "logout?";
        return logouts.read(project, isPost ? request.form() : request.queryParams())
                .map(read -> read instanceof Read.Asked asked
                        ? "logout=" + requests.writeLogout(project, fields(asked))
                        : "problem=" + ((Read.Wrong) read).parameter())
                .map(query -> HostedPages.redirect(page + query));
    }

    private ObjectNode fields(Read.Asked asked) {
        var language = asked.language();
        return JsonNodeFactory.instance
                .objectNode()
                .put("session", asked.session())
                .put("returnTo", asked.returnTo())
                .put("isOfStranger", asked.isOfStranger())
                .put("language", language == null ? null : language.text())
                .put("expiresAt", clock.instant().plus(LIFETIME).getEpochSecond());
    }

    /** {@code GET /p/:slug/logout}: signs the person out, or asks. */
    public Future<Reply> show(ApiRequest request) {
        return entrance.serve(request, null, visit -> open(request, visit));
    }

    private Future<Reply> open(ApiRequest request, HostedVisit visit) {
        var problem = request.queryParams().get("problem");
        if (problem != null) {
            return Future.succeededFuture(
                    pages.wrongRequest(visit, PARAMETERS.contains(problem) ? problem : "request"));
        }
        return with(
                visit,
                request.queryParams().get("logout"),
                (asked, text) -> browsers.personToSignOut(request, visit.project())
                        .compose(person -> {
                            var reading = visit.with(asked.language().orElse(visit.language()), Optional.empty(), "");
                            var returnTo = asked.returnTo(person);
                            return person.isPresent() && !asked.isFor(person.get())
                                    ? Future.succeededFuture(ask(reading, text, person.get()))
                                    : end(request, reading, person)
                                            .map(ended -> returnTo == null
                                                    ? signedOut(reading)
                                                    : HostedPages.redirect(returnTo));
                        }));
    }

    /**
     * {@code POST /p/:slug/logout}: the person has pressed the button; if another account is signed in by now, they are
     * asked again.
     */
    public Future<Reply> confirm(ApiRequest request) {
        var entered = request.form();
        return entrance.serve(
                request,
                null,
                visit -> visits.isOurForm(request, visit, entered)
                        ? confirm(request, visit, entered.get("logout"), Form.value(entered, "account"))
                        : Future.succeededFuture(pages.startOver(visit, ErrorStatus.FORBIDDEN)));
    }

    private Future<Reply> confirm(ApiRequest request, HostedVisit visit, @Nullable String logout, String account) {
        return with(
                visit,
                logout,
                (asked, text) -> browsers.personToSignOut(request, visit.project())
                        .compose(person -> {
                            var reading = visit.with(asked.language().orElse(visit.language()), Optional.empty(), "");
                            var isSame = person.isEmpty()
                                    || visits.isShownAccount(
                                            visit, account, person.get().session());
                            var returnTo = asked.returnTo(person);
                            return isSame
                                    ? end(request, reading, person)
                                            .map(ended -> returnTo == null
                                                    ? signedOut(reading)
                                                    : pages.returnToApplication(reading, returnTo))
                                    : Future.succeededFuture(ask(reading, text, person.get()));
                        }));
    }

    private record Asked(
            @Nullable String session, @Nullable String returnTo, boolean isOfStranger, Optional<Language> language) {
        boolean isFor(Person person) {
            return person.session().toString().equals(session);
        }

        /** Where the browser goes after the sign out of this person; null if it stays. */
        @Nullable
        String returnTo(Optional<Person> person) {
            return isOfStranger && person.filter(this::isFor).isEmpty() ? null : returnTo;
        }
    }

    private interface Serve {
        Future<Reply> serve(Asked asked, String text);
    }

    private Future<Reply> with(HostedVisit visit, @Nullable String text, Serve then) {
        var fields = text == null ? Optional.<ObjectNode>empty() : requests.readLogout(visit.project(), text);
        return fields.filter(read ->
                        Instant.ofEpochSecond(read.path("expiresAt").asLong()).isAfter(clock.instant()))
                .map(read -> then.serve(
                        new Asked(
                                read.path("session").textValue(),
                                read.path("returnTo").textValue(),
                                read.path("isOfStranger").asBoolean(),
                                Optional.ofNullable(read.path("language").textValue())
                                        .flatMap(Language::ofTags)),
                        String.valueOf(text)))
                .orElseGet(() -> Future.succeededFuture(pages.expired(visit)));
    }

    private Future<Void> end(ApiRequest request, HostedVisit visit, Optional<Person> person) {
        return browsers.end(request, visit.project().id(), person);
    }

    private Reply ask(HostedVisit visit, String text, Person person) {
        return pages.show(
                visit,
                View.of(Screen.LOGOUT)
                        .with("logout", text)
                        .with("accountName", HostedAuthorizations.name(Optional.of(person)))
                        .with("account", visits.account(visit, person.session())));
    }

    private Reply signedOut(HostedVisit visit) {
        return pages.show(visit, View.of(Screen.SIGNED_OUT));
    }
}
