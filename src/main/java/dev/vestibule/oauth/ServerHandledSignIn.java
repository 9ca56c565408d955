package dev.vestibule.oauth;

import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.OauthState.Flow;
import dev.vestibule.oauth.ProviderSignIn.AuthorizationResponse;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.CachedProject;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.VerificationRequired;
import dev.vestibule.token.TokenIssuer;
import io.vertx.core.Future;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

/** Finishes a sign in whose code this server receives, and reports the outcome to the popup or the application. */
final class ServerHandledSignIn {
    /** How long an outcome can be fetched. */
    private static final Duration FETCH_TIME = Duration.ofMinutes(2);

    private static final String INTERNAL_ERROR = "Something went wrong on our side. Try again.";

    private final Database database;
    private final ProjectDirectory projects;
    private final OauthStateStore states;
    private final ProviderSignIn signIn;
    private final Pkce pkce;
    private final TokenIssuer tokens;
    private final OauthPages pages;
    private final RedirectUrl ownRedirect;
    private final Clock clock;

    ServerHandledSignIn(
            Database database,
            ProjectDirectory projects,
            OauthStateStore states,
            ProviderSignIn signIn,
            Pkce pkce,
            TokenIssuer tokens,
            OauthPages pages,
            RedirectUrl ownRedirect,
            Clock clock) {
        this.database = database;
        this.projects = projects;
        this.states = states;
        this.signIn = signIn;
        this.pkce = pkce;
        this.tokens = tokens;
        this.pages = pages;
        this.ownRedirect = ownRedirect;
        this.clock = clock;
    }

    /** The page for the browser, or the redirect to the application. */
    Future<Reply> receive(AuthorizationCallback callback) {
        if (callback.token().isEmpty()) {
            return Future.succeededFuture(pages.unknown());
        }
        var token = callback.token().get();
        return projects.find(database.reads(), token.project())
                .compose(known -> known.isEmpty()
                        ? Future.succeededFuture(pages.unknown())
                        : receive(known.map(CachedProject::project).get(), token, callback));
    }

    private Future<Reply> receive(Project project, StateToken token, AuthorizationCallback callback) {
        return states.claim(database.writes(), token, callback.network(), callback.isConfirmed(), clock.instant())
                .compose(claimed -> claimed.isEmpty()
                        ? askOrRefuse(project, token, callback)
                        : finish(project, token, claimed.get(), callback));
    }

    /**
     * A sign in that ends in another network than it started may be an attack: the person who started it would get the
     * session of the person who ends it. But a browser may change networks, so the user is asked.
     */
    private Future<Reply> askOrRefuse(Project project, StateToken token, AuthorizationCallback callback) {
        return states.unclaimed(database.writes(), token, clock.instant())
                .map(waiting -> waiting.map(state -> pages.confirm(project, state, token, callback))
                        .orElseGet(pages::unknown));
    }

    private Future<Reply> finish(Project project, StateToken token, OauthState state, AuthorizationCallback callback) {
        if (callback.code().isEmpty() || callback.error().isPresent()) {
            return fail(project, token, state, messageFor(callback.error().orElse("")));
        }
        var response = new AuthorizationResponse(
                token,
                state,
                callback.code().get(),
                pkce.serverVerifier(token),
                callback.issuer(),
                callback.postedUser());
        return signIn.run(project, response, callback.device(), project.language(callback.acceptLanguage()))
                .compose(result -> result instanceof Completed completed
                        ? complete(project, token, state, completed)
                        : fail(project, token, state, ((VerificationRequired) result).message()))
                .recover(failure -> failure instanceof ApiException refused
                        ? fail(project, token, state, refused.message())
                        : fail(project, token, state, INTERNAL_ERROR).compose(ignored -> Future.failedFuture(failure)));
    }

    private static String messageFor(String error) {
        return switch (error) {
            case "access_denied", "user_cancelled_login", "user_cancelled_authorize" -> "The sign in was cancelled.";
            case "temporarily_unavailable", "server_error" ->
                "The provider is temporarily unavailable. Try again later.";
            default -> "The provider refused the sign in.";
        };
    }

    private Future<Reply> complete(Project project, StateToken token, OauthState state, Completed completed) {
        var expiresAt = clock.instant().plus(FETCH_TIME);
        return states.complete(
                        database.writes(),
                        token,
                        completed.session(),
                        completed.user().id(),
                        expiresAt)
                .compose(ignored -> state.flow() == Flow.REDIRECT
                        ? Future.succeededFuture(redirectToApplication(state, "authon_oauth_state", token.text()))
                        : tokens.open(database.reads(), project, ApiVariant.A, completed.session(), completed.user())
                                .map(issued -> pages.success(rules(project).origins(), issued)));
    }

    private Future<Reply> fail(Project project, StateToken token, OauthState state, String message) {
        return states.fail(database.writes(), token, message, clock.instant().plus(FETCH_TIME))
                .map(ignored -> state.flow() == Flow.REDIRECT
                        ? redirectToApplication(state, "authon_oauth_error", message)
                        : pages.failure(rules(project).origins(), message));
    }

    private RedirectRules rules(Project project) {
        return new RedirectRules(project, ownRedirect);
    }

    private static Reply redirectToApplication(OauthState state, String parameter, String value) {
        var returnTo =
                RedirectUrl.parse(Objects.requireNonNull(state.returnTo())).orElseThrow();
        return Reply.redirect(returnTo.with(
                parameter, URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20")));
    }
}
