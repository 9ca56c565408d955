package dev.vestibule.authentication.oauth;

import dev.vestibule.authentication.oauth.AuthorizationStart.AuthorizationUrl;
import dev.vestibule.authentication.oauth.OauthState.Flow;
import dev.vestibule.authentication.oauth.ProviderSignIn.AuthorizationResponse;
import dev.vestibule.database.Database;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.client.AuthorizationRequest.Prompt;
import dev.vestibule.oauth.identity.ProviderLogin;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Device;
import dev.vestibule.token.SignInResult;
import dev.vestibule.user.DomainConnection;
import dev.vestibule.user.DomainConnections;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sign ins with a provider that begin and end on a page of this server. The page is a client like any other, and uses a
 * secret of the browser for PKCE (RFC 7636): finishing the sign in in another browser gives nothing.
 */
public final class PageSignIn {
    /**
     * A provider to sign in with.
     *
     * @param mark the name of its mark
     * @param icon what the project shows beside its title, as a data URL; null if it has chosen nothing
     */
    public record Offer(
            String name,
            String title,
            String mark,
            @Nullable String icon) {}

    /** The browser of a person; only it has the secret. */
    public record Browser(String secret, Device device) {
        @Override
        public String toString() {
            return "Browser";
        }
    }

    /**
     * A sign in that has come back from its provider.
     *
     * @param resume what the page stored when it started the sign in
     * @param end opens the session
     */
    public record ReturnedSignIn(String resume, SignInEnd end) {
        @Override
        public String toString() {
            return "ReturnedSignIn";
        }
    }

    /** Opens the session of a sign in that has come back from its provider. */
    @FunctionalInterface
    public interface SignInEnd {
        /**
         * Fails if the provider says that the person has not signed in since, although it was asked for a fresh sign
         * in.
         *
         * @param language for mails to the user
         * @param fresh whether it was, as the page knows
         */
        Future<SignInResult> open(Language language, boolean fresh);
    }

    private final Database database;
    private final AuthorizationStart authorizations;
    private final DomainConnections connections;
    private final OauthStateStore states = new OauthStateStore();
    private final ProviderSignIn signIn;
    private final PageResponses responses;
    private final Pkce pkce;
    private final RedirectUrl ownRedirect;
    private final Clock clock;

    PageSignIn(
            Database database,
            AuthorizationStart authorizations,
            DomainConnections connections,
            ProviderSignIn signIn,
            PageResponses responses,
            Pkce pkce,
            RedirectUrl ownRedirect,
            Clock clock) {
        this.database = database;
        this.authorizations = authorizations;
        this.connections = connections;
        this.signIn = signIn;
        this.responses = responses;
        this.pkce = pkce;
        this.ownRedirect = ownRedirect;
        this.clock = clock;
    }

    /** The project's enabled providers in the order of the catalogue, and then those that it has named. */
    public Future<List<Offer>> offers(Project project) {
        return authorizations
                .enabled(project)
                .compose(enabled -> authorizations
                        .icons(project, enabled)
                        .map(icons -> enabled.entrySet().stream()
                                .map(entry ->
                                        offer(entry.getKey(), entry.getValue().title(), icons.get(entry.getKey())))
                                .toList()));
    }

    private static Offer offer(Provider provider, String title, @Nullable String icon) {
        return new Offer(provider.name(), title, provider.inCatalogue().name(), icon);
    }

    /** Whether some emails of the project lead to a connection of an organization. */
    public Future<Boolean> hasConnections(Project project) {
        return connections.hasAny(database.reads(), project.id());
    }

    /** The connection that signs in people with an email of this domain; it says nothing about the account. */
    public Future<Optional<DomainConnection>> connection(Project project, String email) {
        return connections.find(database.reads(), project.id(), email);
    }

    /**
     * Where to send the browser. It comes back to the page, with a query for {@link #finish}.
     *
     * @param page a URL of this server without a query
     * @param resume what the page needs when the browser comes back
     * @param loginHint the email that the provider may suggest to the person, if it is known
     * @param fresh whether the provider has to let the person sign in even if it knows the browser
     */
    public Future<URI> start(
            Project project,
            String provider,
            String page,
            String resume,
            Browser browser,
            @Nullable String loginHint,
            boolean fresh) {
        return start(project, provider, page + "?" + resume, browser, null, new Prompt(loginHint, fresh));
    }

    /**
     * Where to send the browser of a user who links a provider to their account. It comes back to the page, with a
     * query for {@link #identify}.
     */
    Future<URI> startLink(Project project, String provider, String page, Browser browser, UserId user) {
        return start(project, provider, page, browser, user, Prompt.NONE);
    }

    private Future<URI> start(
            Project project, String provider, String page, Browser browser, @Nullable UserId user, Prompt prompt) {
        var named = Provider.find(provider)
                .filter(found -> user == null || !found.isConnection()) // users do not link it themselves
                .orElseThrow(ProviderSignIn::notEnabled);
        var token = StateToken.next(project.id());
        var state = new OauthState(
                named,
                ownRedirect.text(),
                Flow.PAGE,
                page,
                Pkce.challengeOf(pkce.pageVerifier(token, browser.secret())),
                authorizations.beginning(null, browser.device()),
                user);
        return authorizations
                .flow(project, named)
                .compose(offered -> authorizations.start(project, token, state, prompt))
                .map(AuthorizationUrl::url);
    }

    /**
     * Empty if no such sign in is waiting in this browser: it is unknown, too old, finished, or began in another
     * browser. It is used up whatever the outcome.
     */
    public Future<Optional<ReturnedSignIn>> finish(Project project, MultiMap query, Browser browser) {
        return take(project, query, browser, null)
                .map(taken -> taken.map(response -> new ReturnedSignIn(
                        resume(response.state()),
                        (language, fresh) -> signIn.run(
                                project, fresh ? response.ofFresh() : response, browser.device(), language))));
    }

    /** The identity that this user wants to link; empty as for {@link #finish}, and if another user began it. */
    Future<Optional<ProviderLogin>> identify(Project project, MultiMap query, Browser browser, UserId user) {
        return take(project, query, browser, user).compose(taken -> {
            if (taken.isEmpty()) {
                return Future.succeededFuture(Optional.empty());
            }
            var response = taken.get();
            return response.answer().isRefusal()
                    ? Future.failedFuture(response.answer().refusal())
                    : signIn.identify(project, response, browser.device()).map(Optional::of);
        });
    }

    private Future<Optional<AuthorizationResponse>> take(
            Project project, MultiMap query, Browser browser, @Nullable UserId user) {
        return PageResponses.state(query, project.id())
                .map(token -> take(query, token, pkce.pageVerifier(token, browser.secret()), user))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    private Future<Optional<AuthorizationResponse>> take(
            MultiMap query, StateToken token, String verifier, @Nullable UserId user) {
        return states.takeForPage(database.writes(), token, clock.instant())
                .map(taken -> taken.filter(state -> isProved(verifier, state.codeChallenge()))
                        .filter(state -> Objects.equals(state.user(), user))
                        .flatMap(state -> responses
                                .read(query, token)
                                .map(answer -> new AuthorizationResponse(token, state, answer, verifier, null))));
    }

    private static boolean isProved(String verifier, @Nullable String challenge) {
        return challenge != null && Pkce.matches(verifier, challenge);
    }

    private static String resume(OauthState state) {
        var page = Optional.ofNullable(state.returnTo()).orElseThrow();
        return page.substring(page.indexOf('?') + 1);
    }
}
