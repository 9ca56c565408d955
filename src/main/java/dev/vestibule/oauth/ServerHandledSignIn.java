package dev.vestibule.oauth;

import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.OauthPages.Answers;
import dev.vestibule.oauth.OauthPages.Onward;
import dev.vestibule.oauth.OauthPages.Reader;
import dev.vestibule.oauth.OauthPages.Receivers;
import dev.vestibule.oauth.OauthState.Flow;
import dev.vestibule.oauth.ProviderSignIn.AuthorizationResponse;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.CachedProject;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.branding.BrandingStore;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.TokenIssuer;
import io.vertx.core.Future;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finishes a sign in whose code this server receives, and reports the outcome to the popup or the application. */
final class ServerHandledSignIn {
    /** How long an outcome can be fetched. */
    static final Duration FETCH_TIME = Duration.ofMinutes(2);

    private static final String STATE = "authon_oauth_state";
    private static final String ERROR = "authon_oauth_error";
    private static final Set<String> CANCELLATIONS =
            Set.of("access_denied", "user_cancelled_login", "user_cancelled_authorize");
    private static final String INTERNAL_ERROR = "Something went wrong on our side. Try again.";

    private final Database database;
    private final ProjectDirectory projects;
    private final OauthStateStore states;
    private final ProviderSignIn signIn;
    private final Pkce pkce;
    private final ConsentTokens consents;
    private final BrandingStore brandings;
    private final TokenIssuer tokens;
    private final OauthPages pages;
    private final PageResponses pageResponses;
    private final RedirectUrl ownRedirect;
    private final Clock clock;

    ServerHandledSignIn(
            Database database,
            ProjectDirectory projects,
            OauthStateStore states,
            ProviderSignIn signIn,
            Pkce pkce,
            ConsentTokens consents,
            BrandingStore brandings,
            TokenIssuer tokens,
            OauthPages pages,
            PageResponses pageResponses,
            RedirectUrl ownRedirect,
            Clock clock) {
        this.database = database;
        this.projects = projects;
        this.states = states;
        this.signIn = signIn;
        this.pkce = pkce;
        this.consents = consents;
        this.brandings = brandings;
        this.tokens = tokens;
        this.pages = pages;
        this.pageResponses = pageResponses;
        this.ownRedirect = ownRedirect;
        this.clock = clock;
    }

    /** The page for the browser, or the redirect to the application. */
    Future<Reply> receive(AuthorizationCallback callback) {
        if (callback.token().isEmpty()) {
            return Future.succeededFuture(unknown(callback));
        }
        var token = callback.token().get();
        return projects.find(database.reads(), token.project())
                .compose(known -> known.isEmpty()
                        ? Future.succeededFuture(unknown(callback))
                        : receive(known.map(CachedProject::project).get(), token, callback));
    }

    private Future<Reply> receive(Project project, StateToken token, AuthorizationCallback callback) {
        return states.claim(database.writes(), token, callback.network(), false, clock.instant())
                .compose(claimed -> claimed.isEmpty()
                        ? askOrRefuse(project, token, callback)
                        : finish(project, token, claimed.get(), callback, false));
    }

    /**
     * A sign in that ends in another network than it started may be an attack: the person who started it would get the
     * session of the person who ends it. But a browser may change networks, so the user is asked.
     */
    private Future<Reply> askOrRefuse(Project project, StateToken token, AuthorizationCallback callback) {
        return states.waiting(database.writes(), token, clock.instant())
                .compose(waiting -> waiting.isPresent() && waiting.get().heldSession() == null
                        ? ask(project, token, waiting.get().state(), callback)
                        : onPageOrUnknown(project, token, callback));
    }

    /** A page of this server knows the browser by its cookie, so it asks nothing, and finishes the sign in itself. */
    private Future<Reply> onPageOrUnknown(Project project, StateToken token, AuthorizationCallback callback) {
        return states.page(database.writes(), token, clock.instant())
                .map(page -> page.isEmpty()
                        ? unknown(callback)
                        : Reply.redirect(pageResponses.carry(page.get(), project.id(), token, callback)));
    }

    /** The form carries the parameters of the provider, which are used only once the user has agreed. */
    private Future<Reply> ask(Project project, StateToken token, OauthState state, AuthorizationCallback callback) {
        var fields = new LinkedHashMap<String, String>();
        fields.put("state", token.text());
        fields.put(OauthFields.CONSENT, consents.toContinue(token, callback));
        callback.code().ifPresent(code -> fields.put("code", code));
        callback.error().ifPresent(error -> fields.put("error", error));
        if (callback.issuer() != null) {
            fields.put("iss", callback.issuer());
        }
        if (callback.postedUser() != null) {
            fields.put("user", callback.postedUser());
        }
        var answers =
                new Answers(fields, returnTo(state).map(RedirectUrl::origin).orElse(null));
        return reader(project, callback).map(reader -> pages.ask(reader, state.beginning(), answers));
    }

    Future<Reader> reader(Project project, AuthorizationCallback callback) {
        return brandings
                .name(database.reads(), project)
                .map(name -> new Reader(name, project.language(callback.acceptLanguage())));
    }

    Reply unknown(AuthorizationCallback callback) {
        return pages.unknown(Language.ofHeader(callback.acceptLanguage()));
    }

    /** The user may have agreed that the session goes to the one who began the sign in. */
    Future<Reply> finish(
            Project project, StateToken token, OauthState state, AuthorizationCallback callback, boolean hasAgreed) {
        if (callback.code().isEmpty() || callback.error().isPresent()) {
            return fail(
                    project, token, state, callback, messageFor(callback.error().orElse("")));
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
                        ? complete(project, token, state, callback, completed, hasAgreed)
                        : fail(
                                project,
                                token,
                                state,
                                callback,
                                ProviderSignIn.refusal(result).message()))
                .recover(failure -> failure instanceof ApiException refused
                        ? fail(project, token, state, callback, refused.message())
                        : fail(project, token, state, callback, INTERNAL_ERROR)
                                .compose(ignored -> Future.failedFuture(failure)));
    }

    /** Whether the person has not wanted to sign in. */
    static boolean isCancelled(String error) {
        return CANCELLATIONS.contains(error);
    }

    static String messageFor(String error) {
        if (isCancelled(error)) {
            return "The sign in was cancelled.";
        }
        return switch (error) {
            case "temporarily_unavailable", "server_error" ->
                "The provider is temporarily unavailable. Try again later.";
            default -> "The provider refused the sign in.";
        };
    }

    private Future<Reply> complete(
            Project project,
            StateToken token,
            OauthState state,
            AuthorizationCallback callback,
            Completed completed,
            boolean hasAgreed) {
        var expiresAt = clock.instant().plus(FETCH_TIME);
        return states.complete(
                        database.writes(),
                        token,
                        completed.session(),
                        completed.user().id(),
                        expiresAt)
                .compose(ignored -> state.flow() == Flow.REDIRECT
                        ? goOn(project, token, state, callback, completed)
                        : handOver(project, token, state, callback, completed, hasAgreed));
    }

    private Future<Reply> goOn(
            Project project, StateToken token, OauthState state, AuthorizationCallback callback, Completed completed) {
        var returnTo = returnTo(state);
        if (returnTo.isEmpty()) {
            return reader(project, callback).map(pages::signedIn);
        }
        var url = with(returnTo.get(), STATE, token.text());
        return isOfThisServer(returnTo.get())
                ? tokens.open(database.reads(), project, ApiVariant.A, completed)
                        .compose(issued -> reader(project, callback)
                                .map(reader -> pages.goOn(reader, Onward.to(url, token, issued))))
                : Future.succeededFuture(Reply.redirect(url));
    }

    private Future<Reply> handOver(
            Project project,
            StateToken token,
            OauthState state,
            AuthorizationCallback callback,
            Completed completed,
            boolean hasAgreed) {
        var answers = new Answers(
                Map.of("state", token.text(), OauthFields.CONSENT, consents.toHandOver(token, completed.session())),
                null);
        return tokens.open(database.reads(), project, ApiVariant.A, completed)
                .compose(issued -> reader(project, callback)
                        .map(reader -> pages.success(
                                reader, receivers(project), issued, state.beginning(), answers, hasAgreed)));
    }

    private Future<Reply> fail(
            Project project, StateToken token, OauthState state, AuthorizationCallback callback, String message) {
        return states.fail(database.writes(), token, message, clock.instant().plus(FETCH_TIME))
                .compose(ignored -> {
                    var returnTo = returnTo(state);
                    if (returnTo.isEmpty()) {
                        return reader(project, callback)
                                .map(reader -> pages.failure(reader, receivers(project), message));
                    }
                    return isOfThisServer(returnTo.get())
                            ? reader(project, callback)
                                    .map(reader -> pages.goOn(
                                            reader,
                                            Onward.to(with(returnTo.get(), STATE, token.text()), token, message)))
                            : Future.succeededFuture(Reply.redirect(with(returnTo.get(), ERROR, message)));
                });
    }

    private static Optional<RedirectUrl> returnTo(OauthState state) {
        return Optional.ofNullable(state.returnTo()).flatMap(RedirectUrl::parse);
    }

    /** Only there can a page of ours leave the outcome where the application finds it. */
    private boolean isOfThisServer(RedirectUrl returnTo) {
        return returnTo.origin().equals(ownRedirect.origin());
    }

    /** Only pages of allowed origins can call the API, so where a project lists some, one of them opened the popup. */
    private Receivers receivers(Project project) {
        return new Receivers(
                new RedirectRules(project, ownRedirect).origins(),
                !project.allowedOrigins().isEmpty());
    }

    private static String with(RedirectUrl returnTo, String parameter, String value) {
        return returnTo.with(
                parameter, URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20"));
    }
}
